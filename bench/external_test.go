package bench

import (
	"slices"
	"testing"

	"parcorels/rules"
)

func TestNewExternal(t *testing.T) {
	for _, bad := range []struct{ command, name string }{
		{"", ""}, {"solver", ""}, {"solver {out}", ""}, {"solver {lambda}", ""}, {"{out} {lambda}", ""},
		{"solver {out} {lambda}", Own},
	} {
		if _, err := NewExternal(bad.command, bad.name, 0); err == nil {
			t.Errorf("%q as %q was taken", bad.command, bad.name)
		}
	}
	if x, err := NewExternal("solver {out} {lambda}", "", 0); err != nil || x.Name == "" {
		t.Errorf("%+v, error %v", x, err)
	}
}

// TestMinority: the samples that are turned round are the same samples, and
// the minority of a class is never more than half of it.
func TestMinority(t *testing.T) {
	load := func() *rules.Set {
		in, err := find("planted/2000x5")
		if err != nil {
			t.Fatal(err)
		}
		set, err := in.load(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	rows := func(set *rules.Set, minority []bool) (list []string) {
		for i := range set.Data.N {
			row := []byte{}
			for _, a := range set.Antecedents {
				row = append(row, bit(a.Captured().Test(uint(i))))
			}
			list = append(list, string(append(row, bit(set.Data.Labels.Test(uint(i))), bit(minority[i]))))
		}
		slices.Sort(list)
		return list
	}
	plain, turned := load(), load()
	before := inMinority(plain)
	after := firstInMinority(turned)
	if !after[0] || before[0] {
		t.Fatalf("first of minority: %v as it was, %v turned; choose another table", before[0], after[0])
	}
	if !slices.Equal(rows(plain, before), rows(turned, after)) {
		t.Error("the samples are not the same")
	}
	counts := map[string][2]int{}
	for _, r := range rows(plain, before) {
		c := counts[r[:5]]
		c[r[6]-'0']++
		counts[r[:5]] = c
		if other := r[:5] + string(bit(r[5] == '0')) + r[6:]; r[6] == '1' && slices.Contains(rows(plain, before), other) {
			t.Fatalf("both labels of %s are in the minority", r[:5])
		}
	}
	for row, c := range counts {
		if c[1] > c[0] {
			t.Errorf("%s: %d of %d are in the minority", row, c[1], c[0]+c[1])
		}
	}
}

func bit(b bool) byte {
	if b {
		return '1'
	}
	return '0'
}
