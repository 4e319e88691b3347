package testgen

import (
	"reflect"
	"slices"
	"testing"
)

// twoRules reports whether the optimal list has two rules: a property that
// leaves room to shrink in every direction.
func twoRules(in Instance) bool {
	best, err := in.Best()
	return err == nil && len(best.Antecedents) == 2
}

func TestShrink(t *testing.T) {
	found := 0
	for seed := uint64(0); found < 20; seed++ {
		in := Small(seed)
		if !twoRules(in) {
			continue
		}
		found++
		small := Shrink(in, twoRules)
		if !twoRules(small) {
			t.Fatalf("%v\nshrank to what does not fail:\n%v", in, small)
		}
		if !reflect.DeepEqual(in, Small(seed)) {
			t.Fatalf("the instance of seed %d itself was changed", seed)
		}
		if len(small.Columns) != 2 || len(small.Labels) > 4 || small.Weights != nil && slices.Max(small.Weights) > 3 {
			t.Errorf("%v\nshrank no further than\n%v", in, small)
		}
		for i := range small.Labels {
			if len(small.Labels) > 1 && twoRules(small.without(i, i+1)) {
				t.Errorf("%v\nfails without sample %d too", small, i)
			}
		}
	}
}

func TestShrinkLeavesWhatDoesNotFail(t *testing.T) {
	in := Small(1)
	if got := Shrink(in, func(Instance) bool { return false }); !reflect.DeepEqual(got, in) {
		t.Errorf("Shrink changed\n%v\nto\n%v", in, got)
	}
}

func TestShrinkToTheSmallest(t *testing.T) {
	in := Medium(1)
	small := Shrink(in, func(in Instance) bool { return true })
	if len(small.Labels) != 1 || len(small.Columns) != 0 || small.Weights != nil || small.Lambda.Den != 2 || small.Labels[0] {
		t.Errorf("shrank no further than\n%v", small)
	}
}

// TestShrinkWeights shrinks a property of weights alone.
func TestShrinkWeights(t *testing.T) {
	heavy := func(in Instance) bool { return slices.Contains(in.Weights, 1000) || in.Total() > 1<<30 }
	in := Small(1)
	in.Weights = make([]int64, len(in.Labels))
	for i := range in.Weights {
		in.Weights[i] = 1<<31 + int64(i)
	}
	small := Shrink(in, heavy)
	if len(small.Labels) != 1 || !slices.Equal(small.Weights, []int64{1<<30 + 1}) {
		t.Errorf("shrank no further than\n%v", small)
	}
}
