package dataset

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bits-and-blooms/bitset"
)

func TestMulticlass(t *testing.T) {
	const table = "x,label\na,10\nb,9\nc,red\na,9\nb,blue\nc,10\n"
	d := read(t, table, Options{Multiclass: true})
	if want := []string{"9", "10", "blue", "red"}; !slices.Equal(d.ClassNames, want) || d.ClassCount() != 4 || d.Labels != nil {
		t.Fatalf("classes %q, labels %v; want %q", d.ClassNames, d.Labels, want)
	}
	if want := []uint16{1, 0, 3, 0, 2, 1}; !slices.Equal(d.ClassOf, want) {
		t.Fatalf("samples are of classes %v, want %v", d.ClassOf, want)
	}
	if d.Class(2) != 3 || d.ClassName(3) != "red" {
		t.Errorf("sample 2 is of class %d, %q", d.Class(2), d.ClassName(d.Class(2)))
	}
	s := d.Subset(bitset.New(6).Set(1).Set(4))
	if !slices.Equal(s.ClassOf, []uint16{0, 2}) || s.ClassCount() != 4 {
		t.Errorf("a subset has classes %v of %d", s.ClassOf, s.ClassCount())
	}
}

// TestMulticlassOfTwo shows that the option changes nothing for two classes, nor
// where one is told from all others.
func TestMulticlassOfTwo(t *testing.T) {
	for _, c := range []struct{ table, positive string }{
		{"x,label\na,no\nb,yes\n", ""},
		{"x,label\na,no\nb,yes\nc,maybe\n", "maybe"},
	} {
		d := read(t, c.table, Options{Multiclass: true, Positive: c.positive})
		want := read(t, c.table, Options{Positive: c.positive})
		if d.ClassOf != nil || d.ClassNames != nil || d.Classes != want.Classes || !d.Labels.Equal(want.Labels) {
			t.Errorf("%q: classes %q, names %q", c.table, d.Classes, d.ClassNames)
		}
		for i := range d.N {
			if d.Labels.Test(uint(i)) != (d.Class(i) == 1) || d.ClassName(1) != d.Classes[1] {
				t.Errorf("%q: sample %d is of class %d", c.table, i, d.Class(i))
			}
		}
	}
}

func TestMulticlassWeights(t *testing.T) {
	const table = "x,label\na,1\nb,1\nc,2\na,3\nb,3\nc,3\n"
	d := read(t, table, Options{Multiclass: true, ClassWeights: "balanced"})
	if want := []int64{3, 3, 6, 2, 2, 2}; !slices.Equal(d.Weights, want) || d.WeightUnit.String() != "3" {
		t.Errorf("balanced weights %v in units of %s, want %v", d.Weights, d.WeightUnit, want)
	}
	d = read(t, table, Options{Multiclass: true, ClassWeights: "1,0.5,2"})
	if want := []int64{2, 2, 1, 4, 4, 4}; !slices.Equal(d.Weights, want) {
		t.Errorf("weights %v, want %v", d.Weights, want)
	}
	for _, c := range []struct{ weights, want string }{
		{"1,2", "the weights of the 3 classes"},
		{"1,2,3,4", `"3,4" is not a positive decimal`},
	} {
		_, err := ReadFrom(strings.NewReader(table), "t.csv", Options{Multiclass: true, ClassWeights: c.weights})
		checkError(t, c.weights, err, c.want)
	}
}

// TestImpliedTarget: a last column of many numbers is a target only where somebody says so.
func TestImpliedTarget(t *testing.T) {
	table := func(numbers int) string {
		text := "bad,a,score\n"
		for i := range 2 * numbers {
			text += fmt.Sprintf("%d,%d,%d\n", i%2, i%3, i%numbers)
		}
		return text
	}
	_, err := ReadFrom(strings.NewReader(table(20+1)), "t.csv", Options{Multiclass: true})
	checkError(t, "implied", err, `the last column "score" has 21 different values: name the target with option Target (with two values: "bad"); to predict`)
	_, err = ReadFrom(strings.NewReader(strings.ReplaceAll(table(20+1), ",1", ",n1")), "t.csv", Options{Multiclass: true})
	checkError(t, "rare texts", err, "has 21 different values")
	for _, o := range []Options{{Multiclass: true, Target: "score"}, {Multiclass: true, Target: "bad"}, {Positive: "> 4"},
		{Positive: "4"}} {
		if d := read(t, table(20+1), o); d.N != 42 {
			t.Errorf("%+v: %d samples", o, d.N)
		}
	}
	if d := read(t, table(20), Options{Multiclass: true}); len(d.ClassNames) != 20 {
		t.Errorf("%d classes, expected %d", len(d.ClassNames), 20)
	}
}

// TestMulticlassNumbers: a target of many whole numbers may be a column that nobody meant.
func TestMulticlassNumbers(t *testing.T) {
	for n, noted := range map[int]bool{10 - 1: false, 10: true} {
		table := "a,score\n"
		for i := range n {
			table += fmt.Sprintf("%d,%d\n", i%2, i)
		}
		d := read(t, table, Options{Multiclass: true})
		if got := strings.Contains(strings.Join(d.Notes, "\n"), `in target "score" is a class of its own`); got != noted ||
			len(d.ClassNames) != n {
			t.Errorf("%d numbers: %d classes, notes %q", n, len(d.ClassNames), d.Notes)
		}
	}
}
