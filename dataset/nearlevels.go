package dataset

import (
	"math"
	"slices"

	store "parcorels/dataset/internal/column"
)

// Cuts look at the levels beside a few quantiles only, so that a column of
// millions of different numbers need not be sorted. Its numbers are counted in
// buckets of equal width, in ascending order. Those buckets are sorted that hold
// a quantile, or a place near enough to stand for it, and the buckets on both
// sides of them; each run of others becomes one level of many samples.
//
// Nothing that is asked for changes. Between two buckets that hold numbers there
// is a place where a cut may go, so the place nearest to a quantile is in its
// bucket or at an end of it, and the levels on both sides of that are exact.

const (
	// leastSorted is how many numbers are sorted without counting.
	leastSorted = 1 << 13
	// A bucket has some ten numbers, and counts fit into the second-level cache.
	bucketShare = 8
	mostBuckets = 1 << 16
)

// wantedLevels are those beside the quantiles at multiples of 1/shares and the
// median, and beside places that are at most reach samples off.
type wantedLevels struct{ shares, reach int }

// quantileReach is what quantileCuts looks at.
func quantileReach(n, bins int) wantedLevels { return wantedLevels{bins, n / (10 * bins)} }

// ends returns levels of which the first and the last are exact, and whether all
// numbers are integers.
func (b *builder) ends(c *column) (levels []level, integer bool) {
	levels, integer, _ = b.levelsNear(c, wantedLevels{})
	return levels, integer
}

// bucket is a range of numbers.
type bucket struct {
	count int32
	place int32 // of its next number among those to be sorted
	step  int32 // 1: it is sorted; 0: not
}

// buckets are the ranges that numbers are counted in.
type buckets struct {
	list         []bucket
	least, scale float64
}

// of returns the bucket of a number, which never falls as numbers rise.
func (k *buckets) of(v float64) *bucket { return &k.list[int((v-k.least)*k.scale)] }

// levelsNear returns the levels of the kept rows as far as they are wanted, and
// whether all numbers are integers. Not all levels are exact where some is not.
func (b *builder) levelsNear(c *column, w wantedLevels) (levels []level, integer, all bool) {
	if c.floats != nil && b.n >= leastSorted {
		if k, total, ok := b.count(c); ok {
			if marked := k.mark(total, w); 4*marked < 3*total {
				integer = c.floats.Whole() || b.wholeNumbers(c)
				return b.sortMarked(c, k, marked, integer), integer, false
			}
		}
	}
	levels = b.levels(c)
	return levels, integers(levels), true
}

// count counts the numbers of the kept rows in buckets between the least and the
// greatest of all rows. It is not ok where buckets of equal width are none, as beside
// infinities.
func (b *builder) count(c *column) (k *buckets, total int, ok bool) {
	least, most := c.floats.Range()
	size := 1 << 12
	for size < mostBuckets && size*bucketShare < b.n {
		size *= 2
	}
	k = &b.scratch.buckets
	k.least, k.scale = least, float64(size-1)/(most-least)
	if !(k.scale > 0) || math.IsInf(k.scale, 0) || math.IsInf(most-least, 0) {
		return nil, 0, false
	}
	k.list = slices.Grow(k.list[:0], size)[:size]
	clear(k.list)
	b.numbers(c, func(_ int, values []float64) {
		for _, v := range values {
			if v == v {
				k.of(v).count++
				total++
			}
		}
	})
	return k, total, total > 0
}

// mark chooses the buckets to be sorted, and returns how many numbers they hold.
func (k *buckets) mark(total int, w wantedLevels) (marked int) {
	wanted, wants := 0, k.wants(total, w)
	before, previous, follows := 0, -1, true
	for i := range k.list {
		x := &k.list[i]
		if x.count == 0 {
			continue
		}
		below := before
		before += int(x.count)
		for wanted < len(wants) && wants[wanted]+w.reach+1 < below {
			wanted++
		}
		holds := wanted < len(wants) && wants[wanted]-w.reach-1 <= before
		if holds && previous >= 0 {
			k.list[previous].step = 1
		}
		if holds || follows {
			x.step = 1
		}
		follows, previous = holds, i
	}
	k.list[previous].step = 1
	for i := range k.list {
		if x := &k.list[i]; x.step == 1 {
			x.place = int32(marked)
			marked += int(x.count)
		}
	}
	for i := range k.list {
		if x := &k.list[i]; x.step == 0 {
			x.place = int32(marked) // where nobody looks
		}
	}
	return marked
}

// largest returns how many numbers a bucket has at the most.
func (k *buckets) largest() (most int) {
	for i := range k.list {
		most = max(most, int(k.list[i].count))
	}
	return most
}

// wants returns how many samples are below the quantiles, rounded down, in
// ascending order.
func (k *buckets) wants(total int, w wantedLevels) []int {
	wants := []int{total / 2}
	for q := 1; q < w.shares; q++ {
		wants = append(wants, int(int64(total)*int64(q)/int64(w.shares)))
	}
	slices.Sort(wants)
	return wants
}

// wholeNumbers reports whether the numbers of the kept rows are integers that floats
// tell apart.
func (b *builder) wholeNumbers(c *column) bool {
	whole := true
	b.numbers(c, func(_ int, values []float64) {
		for i := 0; i < len(values) && whole; i++ {
			v := values[i]
			whole = v != v || v == math.Trunc(v) && math.Abs(v) < 1<<53
		}
	})
	return whole
}

// sortMarked returns the levels of the marked buckets, and one level for those
// between two of them. Its number is above those before, and not above any that
// it stands for.
func (b *builder) sortMarked(c *column, k *buckets, marked int, integer bool) []level {
	s := b.scratch
	s.keys, s.spare = slices.Grow(s.keys[:0], marked+1)[:marked+1], slices.Grow(s.spare[:0], k.largest())
	b.numbers(c, func(_ int, values []float64) {
		for _, v := range values {
			if v == v {
				x := k.of(v)
				s.keys[x.place] = store.FloatKey(v)
				x.place += x.step
			}
		}
	})
	levels := slices.Grow(s.distinct[:0], marked)
	first, hidden := 0, 0
	for i := range k.list {
		x := &k.list[i]
		if x.step == 0 {
			hidden += int(x.count)
			continue
		}
		if hidden > 0 {
			before := levels[len(levels)-1].value
			lump := level{math.Nextafter(before, math.Inf(1)), hidden}
			if integer {
				lump.value = before + 1
			}
			levels, hidden = append(levels, lump), 0
		}
		sorted := sortBucket(s.keys[first:first+int(x.count)], s.spare)
		for _, key := range sorted {
			levels = addLevel(levels, store.KeyFloat(key), 1) // −0 is 0
		}
		first += int(x.count)
	}
	s.distinct = levels
	return levels
}

// sortBucket sorts keys, few of which are moved one by one.
func sortBucket(keys, spare []uint64) []uint64 {
	const few = 24
	if len(keys) > few {
		sorted, _ := store.SortKeys(keys, spare[:len(keys)])
		return sorted
	}
	for i := 1; i < len(keys); i++ {
		x, j := keys[i], i
		for ; j > 0 && keys[j-1] > x; j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = x
	}
	return keys
}
