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

// buckets are the ranges that numbers are counted in. The last is that of NaN.
type buckets struct {
	of     []uint16 // bucket of each sample
	counts []int32  // by bucket, as what follows
	sorted []uint8  // 1: it is to be sorted
	places []int32  // of its next number among those to be sorted
}

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
	scale := float64(size-2) / (most - least)
	if !(scale > 0) || math.IsInf(scale, 0) || math.IsInf(most-least, 0) {
		return nil, 0, false
	}
	k = &b.scratch.buckets
	k.reset(b.n, size)
	counts := k.counts
	b.numbers(c, func(first int, values []float64) {
		of := k.of[first : first+len(values)]
		for i, v := range values {
			at := uint(size - 1)
			if v == v {
				at = uint((v - least) * scale) // which never falls as numbers rise
			}
			of[i] = uint16(at)
			counts[at]++
		}
	})
	total = b.n - int(counts[size-1])
	counts[size-1] = 0
	return k, total, total > 0
}

// reset makes room for so many samples and buckets.
func (k *buckets) reset(samples, buckets int) {
	k.of = slices.Grow(k.of[:0], samples)[:samples]
	k.counts = slices.Grow(k.counts[:0], buckets)[:buckets]
	k.sorted = slices.Grow(k.sorted[:0], buckets)[:buckets]
	k.places = slices.Grow(k.places[:0], buckets)[:buckets]
	clear(k.counts)
	clear(k.sorted)
}

// mark chooses the buckets to be sorted, and returns how many numbers they hold.
func (k *buckets) mark(total int, w wantedLevels) (marked int) {
	wanted, wants := 0, k.wants(total, w)
	before, previous, follows := 0, -1, true
	for i, count := range k.counts {
		if count == 0 {
			continue
		}
		below := before
		before += int(count)
		for wanted < len(wants) && wants[wanted]+w.reach+1 < below {
			wanted++
		}
		holds := wanted < len(wants) && wants[wanted]-w.reach-1 <= before
		if holds && previous >= 0 {
			k.sorted[previous] = 1
		}
		if holds || follows {
			k.sorted[i] = 1
		}
		follows, previous = holds, i
	}
	k.sorted[previous] = 1
	for i, count := range k.counts {
		if k.sorted[i] == 1 {
			k.places[i] = int32(marked)
			marked += int(count)
		}
	}
	return marked
}

// largest returns how many numbers a bucket has at the most.
func (k *buckets) largest() int {
	return int(slices.Max(k.counts))
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
	room := max(marked, min(b.n/4, 1<<18)) // of one column after the other
	s.keys, s.spare = slices.Grow(s.keys[:0], room)[:marked], slices.Grow(s.spare[:0], k.largest())
	b.place(c, k)
	levels := slices.Grow(s.distinct[:0], room)
	first, hidden := 0, 0
	for i, count := range k.counts {
		if k.sorted[i] == 0 {
			hidden += int(count)
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
		sorted := sortBucket(s.keys[first:first+int(count)], s.spare)
		for _, key := range sorted {
			levels = addLevel(levels, store.KeyFloat(key), 1) // −0 is 0
		}
		first += int(count)
	}
	s.distinct = levels
	return levels
}

// place puts the numbers of the buckets to be sorted in their places. Which samples
// these are is found without a branch, as nobody can foretell it.
func (b *builder) place(c *column, k *buckets) {
	keys := b.scratch.keys
	put := func(i, row int) {
		place := &k.places[k.of[i]]
		keys[*place] = store.FloatKey(c.floats.At(row))
		*place++
	}
	if b.dropped != nil {
		for i, row := range b.kept() {
			if k.sorted[k.of[i]] == 1 {
				put(i, row)
			}
		}
		return
	}
	var found [1 << 10]int32
	for first := 0; first < b.n; first += len(found) {
		n := 0
		for i, at := range k.of[first:min(first+len(found), b.n)] {
			found[n] = int32(i)
			n += int(k.sorted[at])
		}
		for _, i := range found[:n] {
			put(first+int(i), first+int(i))
		}
	}
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
