package bench

import (
	"fmt"
	"strconv"
	"strings"
)

// osdtCases are the experiments of the OSDT paper (Hu, Rudin and Seltzer, NeurIPS 2019):
// its data sets along a path of λ (figure 1), over ten folds (figures 10 to 16), and for
// λ = .005 with more and more samples and features (figure 3), where the paper has COMPAS
// alone.
func osdtCases() (cases []Case) {
	base := Case{Model: Trees, Workers: 1, Limit: 60, Beside: greedy}
	const path = "0.05,0.025,0.01,0.005,0.0025,0.001"
	for _, name := range []string{"tic-tac-toe", "car-evaluation", "monk1-train", "monk2-train", "monk3-train", "compas-binary", "fico"} {
		base.Part, base.Folds = "path", 0
		cases = append(cases, each(name, path, base)...)
		base.Part, base.Folds = "folds", 10
		cases = append(cases, each(name, path, base)...)
	}
	base.Folds = 0
	for _, size := range []struct{ part, name, sizes string }{
		{"samples", "compas-binary", "1000x12 6907x12 69070x12 690700x12 6907000x12"},
		{"samples", "fico", "1000x17 10459x17 104590x17 1045900x17"},
		{"features", "compas-binary", "6907x4 6907x6 6907x8 6907x10 6907x12"},
		{"features", "fico", "10459x5 10459x8 10459x11 10459x14 10459x17"},
	} {
		for text := range strings.FieldsSeq(size.sizes) {
			base.Part = size.part
			cases = append(cases, each(size.name+"/"+text, resizedLambda, base)...)
		}
	}
	return cases
}

// pathTable is OSDT's experiment: accuracy against leaves along a path of λ, and
// what CART has with as many leaves.
func pathTable(list []*summary) *table {
	t := newTable("data", "λ", "leaves", "accuracy", "CART, as many leaves", "objective", "CART, its best size (leaves)", "seconds", "counts")
	for _, s := range ownOf(list) {
		same, best := s.measure(greedySame), s.measure(greedyBest)
		t.add(s.Instance, shortLambda(s.Lambda), strconv.Itoa(s.Length), share(1-s.Wrong), share(same.Value),
			s.objective(), fmt.Sprintf("%s (%d)", decimals(best.Value, 7), best.Size),
			s.time(), count(int64(s.median(expanded))))
	}
	return t
}

// treeFoldsTable is the supplement's cross-validation: what optimal trees and CART, with
// as many leaves, have on the rows that they learn from and on others.
func treeFoldsTable(list []*summary) *table {
	t := newTable("data", "λ", "leaves", "training", "CART", "test", "CART", "test, above CART", "seconds a fold")
	for _, s := range ownOf(list) {
		t.add(s.Instance, shortLambda(s.Lambda), decimals(s.measure(rulesMeasure).Value, 1),
			share(s.measure(trainMeasure).Value), share(s.measure(greedyTrain).Value),
			s.spread(accuracyMeasure), s.spread(greedySame), s.spread(ahead), figure(s.seconds()))
	}
	return t
}

// treeSizesTable is figure 3: how the time grows with samples and features.
func treeSizesTable(list []*summary) *table {
	t := newTable("data", "samples", "features", "distinct points", "leaves", "accuracy", "CART", "reading s", "reducing s", "search s", "range", "counts", "process MB", "CART s")
	others := t.addSolvers(list, "ratio of searches", searchRatio)
	for _, s := range ownOf(list) {
		t.add(append([]string{
			s.Family(), count(s.Samples), strconv.Itoa(s.Antecedents), count(int64(s.Points)), strconv.Itoa(s.Length),
			share(1 - s.Wrong), share(s.measure(greedySame).Value), figure(s.median(readSeconds)), figure(s.median(reduceSeconds)),
			s.time(), s.span(searchSeconds), count(int64(s.median(expanded))), figure(s.median(peakBytes) / 1e6), figure(s.measure(greedySeconds).Value),
		}, others(s)...)...)
	}
	return t
}
