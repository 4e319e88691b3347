package search

import (
	"context"
	"parcorels/rulelist/prune"
	"parcorels/rulelist/save"
	"sync/atomic"
)

// What checkpoints and blocks say of the separation bound, and what a search does with it.

// marked is how far the search is. Workers stand still or have ended.
func (s *search) marked() (m save.Mark) {
	switch x := s.separated; {
	case s.undecided != nil:
		m = *s.undecided
	case x != nil && x.Root != nil:
		m.Ahead, m.Share = x.Ascents.Ahead, x.Ascents.Share
		x.Ascents.Each(func(i int, n *atomic.Int64) { m.Numbers[i] = n.Load() })
	case x == nil && s.trial > 0:
		m.Trial, m.TrialWork = max(1, s.trial-s.tried.Load()), s.trialWork
	}
	return m
}

// goOnFrom bounds the root as the search did that was resumed, or continues its trial.
func (s *search) goOnFrom(ctx context.Context, m *save.Mark) {
	if m.Trial > 0 {
		s.tryFor(m.Trial, m.TrialWork)
		return
	}
	s.boundRoot(ctx, m.Ahead)
	s.takeAccounts(m)
}

// takeAccounts gives the accounts of a mark to the search.
func (s *search) takeAccounts(m *save.Mark) {
	if x := s.separated; x != nil && m.Ahead > 0 {
		a := &x.Ascents
		a.Ahead, a.Share, a.ForGap = m.Ahead, m.Share, m.Share == prune.LongShare
		a.Each(func(i int, n *atomic.Int64) { n.Store(m.Numbers[i]) })
	}
}
