package dataset

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/bits-and-blooms/bitset"
)

// townTable has towns, of which some are rare and some are missing; the rate of class 1 depends on the town.
func townTable(rng *rand.Rand, rows int) string {
	b := rowsOf("town,class", rows, func(int) string {
		town := rng.IntN(1 + rng.IntN(50))
		text := fmt.Sprint("T", town*7%50)
		if rng.IntN(20) == 0 {
			text = "?"
		}
		return fmt.Sprintf("%s,%d", text, min(1, (town%3+rng.IntN(3))/2))
	})
	return b
}

// groupsOf returns the groups among features, by name.
func groupsOf(d *Dataset) map[string][]string {
	groups := map[string][]string{}
	for _, f := range d.Features {
		if f.Test.Kind == Among {
			groups[f.Name] = f.Test.Values
		}
	}
	return groups
}

// TestGroupsOfTexts: groups hold texts that have features of their own, never a rare or a missing one; they are read again as chosen;
// and those of a part of the rows do not depend on the others.
func TestGroupsOfTexts(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 3))
		text := townTable(rng, 600)
		d := read(t, text, Options{KeepColumns: true})
		groups, single := groupsOf(d), map[string]bool{}
		for _, f := range d.Features {
			single[f.Test.Value] = f.Test.Kind == Is
		}
		if len(groups) == 0 {
			t.Fatalf("seed %d: no groups in %q", seed, describe(d))
		}
		for name, values := range groups {
			if len(values) < 2 || slices.ContainsFunc(values, func(v string) bool { return !single[v] }) {
				t.Errorf("seed %d: %s is %q", seed, name, values)
			}
		}
		again := read(t, text, Options{ChosenGroups: d.ChosenGroups})
		if !reflect.DeepEqual(describe(again), describe(d)) {
			t.Errorf("seed %d: chosen groups give %q", seed, describe(again))
		}
		if none := groupsOf(read(t, text, Options{ChosenGroups: map[string][][]string{}})); len(none) > 0 {
			t.Errorf("seed %d: groups %v, none were chosen", seed, none)
		}
		rows := bitset.New(uint(d.N))
		for i := range uint(d.N) {
			rows.SetTo(i, rng.IntN(3) > 0)
		}
		other := *d
		other.ClassOf = slices.Clone(d.ClassOf)
		for i := range rows.Complement().EachSet() {
			other.ClassOf[i] = 1
		}
		one, two := d.Recut(rows, d.Subset(rows)), other.Recut(rows, other.Subset(rows))
		if !reflect.DeepEqual(groupsOf(one), groupsOf(two)) {
			t.Errorf("seed %d: the labels of other rows give groups %v, not %v", seed, groupsOf(two), groupsOf(one))
		}
	}
}
