package search

import (
	"slices"
	"time"
)

// Showing the best tree while workers search.
//
// The cache may be read at any time, so a look at a search reads the best
// tree off it with counts of its own, as the result of a stopped search is read.
// The cache may have lost what the workers' best value was made of; the tree is
// then one of a larger value, and is shown only if it is still better than those
// before.

// mostView is how long a look may take: the looker also ends the search in time.
const mostView = 200 * time.Millisecond

// view returns the best tree and its objective if it is better than those that it
// has returned, and nil otherwise. It is called from one goroutine.
func (s *search) view() (Tree, int64) {
	upper := s.upper.Load()
	if upper >= s.viewed.upper {
		return nil, 0
	}
	s.viewed.upper = upper
	if s.viewed.by == nil {
		s.viewed.by = s.newLooker()
	}
	end := time.Now().Add(mostView)
	inTime := func() bool { return s.run.Running() && time.Now().Before(end) }
	var tree Tree
	value := s.viewed.by.best(0, &tree, inTime)
	if !inTime() || value >= s.viewed.value {
		return nil, 0
	}
	s.viewed.value = value
	return s.named(tree), s.Objective(value)
}

// named returns the tree with features of the instance.
func (s *search) named(tree Tree) Tree {
	tree = slices.Clone(tree)
	for i, x := range tree {
		if x >= 0 {
			tree[i] = s.features[x]
		}
	}
	return tree
}
