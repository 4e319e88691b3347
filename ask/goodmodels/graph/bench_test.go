package graph

import "testing"

// BenchmarkBuild finds 2,094,773 lists.
func BenchmarkBuild(b *testing.B) {
	p, in, l := corels(b, "compas_train", "0.01")
	threshold := within(b, in, l, 5)
	for b.Loop() {
		if _, err := BuildLists(b.Context(), p, threshold, Options{Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
