package prune

import "testing"

// TestAscentsThatCloseNothing: they cost a small share of the search, at whatever lengths.
func TestAscentsThatCloseNothing(t *testing.T) {
	const columns, words, work = 400, 60, 8000
	var a ascents
	a.Start(&Separated{}, words)
	var counted, made int64
	for n := range int64(200000) {
		depth := int(n % 20)
		if a.may(depth) {
			a.spend(depth, work)
			made++
		}
		counted += columns
		a.expanded(depth, n%3, columns)
	}
	all := ExpansionWork(counted, 0, words)
	if most := firstAscents + all/ascentShare + work; made*work > most {
		t.Errorf("ascents that close nothing take %d beside a search of %d: more than %d", made*work, all, most)
	}
	if 2*made*work < all/ascentShare {
		t.Errorf("ascents take only %d beside a search of %d", made*work, all)
	}
}

// TestAscentsThatClose: what they close pays for them, and for those at shorter prefixes, but
// not at longer ones.
func TestAscentsThatClose(t *testing.T) {
	const columns, words, work = 400, 60, 8000
	var a ascents
	a.Start(&Separated{}, words)
	for range 100 {
		a.expanded(2, 50, 0)
		a.expanded(3, 0, 0)
	}
	if own := a.worth(3, 1000); own != 1000 {
		t.Errorf("a prefix without anything below it is worth %d of 1,000", own)
	}
	if all := a.worth(2, 1000); all != 4125+ExpansionWork(0, 50, words) {
		t.Errorf("a prefix with 50 children is worth %d, not 4,125 and what it takes to place them", all)
	}
	for range 1000 {
		if !a.may(2) {
			t.Fatal("ascents that close their prefixes are not made")
		}
		a.spend(2, work)
		a.earn(2, 1, columns)
	}
	for n := 0; a.may(3); n++ {
		if a.spend(3, work); n > 2*firstAscents/work {
			t.Fatal("ascents at longer prefixes live on what those at shorter ones earn")
		}
	}
	for n := 0; a.may(1) && n < 100; n++ {
		if a.spend(1, work); n == 99 {
			return
		}
	}
	t.Error("ascents at shorter prefixes are not made from what is earned below")
}

// TestBoundsOrder: bounds order the queue where ascents pay, or where the gap is what counts.
func TestBoundsOrder(t *testing.T) {
	var a ascents
	a.Start(&Separated{}, 1)
	a.spend(1, 1000)
	if a.orders() {
		t.Error("bounds order the queue although ascents have closed nothing")
	}
	a.earned.Store(500)
	if !a.orders() {
		t.Error("bounds do not order the queue although ascents earn half of their cost")
	}
	for _, x := range []*Separated{{Near: true}, {Ahead: MostNodes}} {
		var a ascents
		a.Start(x, 1)
		if a.spend(1, 1000); !a.orders() {
			t.Errorf("near %v, estimate %d: bounds do not order the queue", x.Near, x.Ahead)
		}
	}
}
