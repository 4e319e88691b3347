package model

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// Differ returns an error that says in what two models differ first: the family, the
// data that they were learned from, a case, or λ. It is nil where both decide every row by
// the same cases, and are the answer to the same question.
func Differ(a, b Model) error {
	if err := DifferInCases(a, b); err != nil {
		return err
	}
	if k, l := a.Certificate(), b.Certificate(); k.Lambda != l.Lambda || k.Objective != l.Objective {
		return fmt.Errorf("their λ or objectives differ: %s and %d/%d in one, %s and %d/%d in the other",
			k.Lambda, k.Objective.Num, k.Objective.Den, l.Lambda, l.Objective.Num, l.Objective.Den)
	}
	return differInClaims(a, b)
}

// differInClaims compares all else that the files of two models say, but for what is of one search or of the place of the data.
func differInClaims(a, b Model) error {
	var fields [2]map[string]json.RawMessage
	for i, m := range []Model{a, b} {
		var file bytes.Buffer
		if err := errors.Join(m.Encode(&file), json.Unmarshal(file.Bytes(), &fields[i])); err != nil {
			return err
		}
		for _, name := range []string{"software", "status", "lower_bound", "upper_bound", "gap", "chains", "data", "options"} {
			delete(fields[i], name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields[0])) {
		if !bytes.Equal(fields[0][name], fields[1][name]) {
			return fmt.Errorf("they differ in %q", name)
		}
	}
	return nil
}

// DifferInCases is Differ whatever λ was.
func DifferInCases(a, b Model) error {
	x, y := a.Cases(), b.Cases()
	hashes := [2]string{a.About().Data.Hash, b.About().Data.Hash}
	switch {
	case a.Family() != b.Family():
		return fmt.Errorf("one is a %s, the other a %s", a.Family(), b.Family())
	case hashes[0] != hashes[1] && hashes[0] != "" && hashes[1] != "":
		return fmt.Errorf("they were learned from different data: %s and %s", hashes[0], hashes[1])
	}
	same := func(l, m Literal) bool { return reflect.DeepEqual(l, m) }
	for i := range min(len(x), len(y)) {
		if !slices.EqualFunc(x[i].When, y[i].When, same) || !slices.EqualFunc(x[i].Path, y[i].Path, same) {
			return fmt.Errorf("condition %d is %q in one and %q in the other", i+1, cmp.Or(x[i].Text, "else"), cmp.Or(y[i].Text, "else"))
		}
		if k, l := a.About().Label(x[i].Class), b.About().Label(y[i].Class); k != l {
			return fmt.Errorf("condition %d, %q, predicts %q in one and %q in the other", i+1, cmp.Or(x[i].Text, "else"), k, l)
		}
	}
	if len(x) != len(y) {
		return fmt.Errorf("one has %d cases, the other %d", len(x), len(y))
	}
	return nil
}
