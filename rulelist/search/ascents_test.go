package search

import "testing"

// TestAscentsThatCloseNothing: they cost a small share of the search, at whatever lengths.
func TestAscentsThatCloseNothing(t *testing.T) {
	const columns, words, work = 400, 60, 20000
	var a ascents
	a.start(&separated{}, words, columns, 1)
	var counted, made int64
	for n := range int64(200000) {
		depth := int(n % 20)
		if a.may(depth, counted) {
			a.spend(depth, work)
			made++
		}
		counted += columns
	}
	all := a.counting(counted)
	if most := firstAscents + all/ascentShare + work; made*work > most {
		t.Errorf("ascents that close nothing take %d beside a search of %d: more than %d", made*work, all, most)
	}
	if 2*made*work < all/ascentShare {
		t.Errorf("ascents take only %d beside a search of %d", made*work, all)
	}
}

// TestWorth: what is closed is worth what trials find below it, also what was closed
// before them.
func TestWorth(t *testing.T) {
	const columns, words = 400, 60
	var a ascents
	a.start(&separated{}, words, columns, 1)
	a.earn(2)
	if a.estimate(); a.levels[2].worth != float64(a.expansion) {
		t.Errorf("a prefix that no trial has looked at is worth %v, not its expansion, %d", a.levels[2].worth, a.expansion)
	}
	for range 10 {
		a.dived(2, 50)
		a.dived(3, 0)
	}
	if a.estimate(); a.levels[2].worth != 51*float64(a.expansion) || a.levels[2].earned != 51*a.expansion || a.earned != 51*a.expansion {
		t.Errorf("a prefix with 50 children is worth %v and has earned %d, not 51 × %d", a.levels[2].worth, a.levels[2].earned, a.expansion)
	}
	// One child of four survives, and four columns are counted for each.
	a.earnChildren(1, 1000)
	for i := range 20 {
		if a.levels[1].children.tries(0) {
			a.tried(1, float64(1-min(1, i%4)), 4)
		}
	}
	a.estimate()
	l := &a.levels[1]
	want := 51*float64(a.expansion)*l.survived/float64(l.children.tried) + float64(a.counting(4*l.children.tried))/float64(l.children.tried)
	if l.children.tried == 0 || l.childWorth != want || a.levels[2].earned != 51*a.expansion+int64(1000*want) {
		t.Errorf("a child is worth %v of %v, its account has %d", l.childWorth, want, a.levels[2].earned)
	}
}

// TestAscentsThatClose: what they close pays for them, and for those at shorter prefixes, but
// not at longer ones.
func TestAscentsThatClose(t *testing.T) {
	const columns, words, work = 400, 60, 20000
	var a ascents
	a.start(&separated{}, words, columns, 1)
	a.dived(2, 50)
	a.estimate()
	for range 1000 {
		if !a.may(2, 0) {
			t.Fatal("ascents that close their prefixes are not made")
		}
		a.spend(2, work)
		a.earn(2)
	}
	for n := 0; a.may(3, 0); n++ {
		if a.spend(3, work); n > 2*firstAscents/work {
			t.Fatal("ascents at longer prefixes live on what those at shorter ones earn")
		}
	}
	for n := 0; a.may(1, 0) && n < 100; n++ {
		if a.spend(1, work); n == 99 {
			return
		}
	}
	t.Error("ascents at shorter prefixes are not made from what is earned below")
}

// TestSampled: the first are tried, and one in tryEvery in the long run.
func TestSampled(t *testing.T) {
	var s sampled
	const n = 100 * tryEvery
	for i := range n {
		if first := i < 2; s.tries(0) != first && first {
			t.Fatalf("%d is not tried", i)
		}
		s.closed++
	}
	if s.tried < n/tryEvery || s.tried > n/tryEvery+tryEvery {
		t.Errorf("%d of %d are tried", s.tried, n)
	}
}

// TestNth: every member of a set, in order.
func TestNth(t *testing.T) {
	set := []uint64{0, 1<<63 | 5, 0, 2}
	for n, want := range []int{64, 66, 127, 193} {
		if got := nth(set, n); got != want {
			t.Errorf("member %d is %d, not %d", n, got, want)
		}
	}
}
