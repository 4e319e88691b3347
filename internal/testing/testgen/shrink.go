package testgen

import (
	"slices"

	"parcorels/ratio"
)

// Shrink returns an instance on which fails is still true and which no single
// step makes smaller: leaving out samples or an antecedent, dropping or
// halving weights, rounding λ, clearing one bit. If fails(in) is false it
// returns in as it is.
func Shrink(in Instance, fails func(Instance) bool) Instance {
	if !fails(in) {
		return in
	}
	s := shrinker{fails: fails}
	s.best = in
	s.best.Family += ", shrunk"
	for again := true; again; {
		again = s.samples()
		again = s.antecedents() || again
		again = s.weights() || again
		again = s.lambda() || again
		again = s.bits() || again
	}
	return s.best
}

type shrinker struct {
	best  Instance
	fails func(Instance) bool
}

// try keeps the instance if it still fails.
func (s *shrinker) try(in Instance) bool {
	if in.Check() != nil || !s.fails(in) {
		return false
	}
	s.best = in
	return true
}

// samples leaves out runs of samples, the long ones first. One sample stays.
func (s *shrinker) samples() (shrunk bool) {
	for run := len(s.best.Labels) / 2; run > 0; run /= 2 {
		for from := 0; from < len(s.best.Labels); {
			to := min(from+run, len(s.best.Labels))
			if to-from < len(s.best.Labels) && s.try(s.best.without(from, to)) {
				shrunk = true
				continue
			}
			from = to
		}
	}
	return shrunk
}

// without leaves out the samples [from, to).
func (in Instance) without(from, to int) Instance {
	return in.with(func(bits []bool) []bool { return cut(bits, from, to) }, func(w []int64) []int64 { return cut(w, from, to) })
}

// cut returns a copy of s without [from, to).
func cut[T any](s []T, from, to int) []T {
	return append(append(make([]T, 0, len(s)), s[:from]...), s[to:]...)
}

func (s *shrinker) antecedents() (shrunk bool) {
	for j := 0; j < len(s.best.Columns); {
		in := s.best
		in.Columns = cut(in.Columns, j, j+1)
		if s.try(in) {
			shrunk = true
		} else {
			j++
		}
	}
	return shrunk
}

// weights drops all weights, or takes from each as much as it can.
func (s *shrinker) weights() (shrunk bool) {
	in := s.best
	if in.Weights == nil {
		return false
	}
	in.Weights = nil
	if s.try(in) {
		return true
	}
	for i := range s.best.Weights {
		for less := s.best.Weights[i] - 1; less > 0; less /= 2 {
			if s.best.Weights[i] > less {
				shrunk = s.weigh(i, s.best.Weights[i]-less) || shrunk
			}
		}
	}
	return shrunk
}

func (s *shrinker) weigh(i int, weight int64) bool {
	in := s.best
	in.Weights = slices.Clone(in.Weights)
	in.Weights[i] = weight
	return s.try(in)
}

// lambda tries the fractions with the smallest denominators.
func (s *shrinker) lambda() bool {
	for den := int64(2); den < min(s.best.Lambda.Den, 60); den++ {
		for num := int64(1); num < den; num++ {
			in := s.best
			if in.Lambda = ratio.New(num, den); in.Lambda.Den == den && s.try(in) {
				return true
			}
		}
	}
	return false
}

// bits clears labels and the bits of columns.
func (s *shrinker) bits() (shrunk bool) {
	for i := range s.best.Labels {
		if s.best.Labels[i] {
			in := s.best
			in.Labels = cleared(in.Labels, i)
			shrunk = s.try(in) || shrunk
		}
	}
	for j := range s.best.Columns {
		for i := range s.best.Columns[j] {
			if s.best.Columns[j][i] {
				in := s.best
				in.Columns = slices.Clone(in.Columns)
				in.Columns[j] = cleared(in.Columns[j], i)
				shrunk = s.try(in) || shrunk
			}
		}
	}
	return shrunk
}

func cleared(bits []bool, i int) []bool {
	c := slices.Clone(bits)
	c[i] = false
	return c
}
