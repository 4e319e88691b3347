package cuts

import "parcorels/internal/loop"

// view is a column as an ensemble sees it: bins that no split tells apart are one.
type view struct {
	column  int     // index of the binned
	n       int     // bins; the last of them may hold what no split tells apart
	ordered int     // bins of numbers, in order; a cut lies behind each but the last
	tried   int     // bins up to here are numbers, or categories that a split may take
	cuts    []int32 // by ordered bin: the cut of the binned behind it
	of      []uint8 // bin by bin of the binned
	first   int     // of its bins among those of all views
	bins    []uint8 // of each sample
}

// table is the samples as an ensemble sees them. A column that no split can use is left out.
type table struct {
	views []*view
	bins  int // of all views
}

// newTable lays out the samples for splits at the cuts that are allowed: by the bins of the columns, or by a table of
// more cuts. It takes the memory of either.
func (e *ensemble) newTable(old *table) *table {
	t := &table{}
	var now [][maxBins]uint8 // by view, the bin of each bin before
	for c := range e.columns {
		v := e.newView(c)
		if len(v.cuts) > 0 || v.tried > v.ordered {
			v.first = t.bins
			t.bins += v.n
			to := [maxBins]uint8{}
			copy(to[:], v.of)
			v.bins = e.columns[c].Bins
			if old != nil {
				before := old.viewOf(c)
				for b, bin := range before.of {
					to[bin] = v.of[b]
				}
				v.bins = before.bins
			}
			t.views, now = append(t.views, v), append(now, to)
		}
		e.columns[c].Bins = nil
	}
	loop.Parallel(len(t.views), func(i int) {
		for k, b := range t.views[i].bins {
			t.views[i].bins[k] = now[i][b]
		}
	})
	return t
}

// viewOf returns the view of a column that has one.
func (t *table) viewOf(column int) *view {
	for _, v := range t.views {
		if v.column == column {
			return v
		}
	}
	return nil
}

// newView puts bins together between which no cut is allowed, and categories
// that weigh too little to be a leaf.
func (e *ensemble) newView(c int) *view {
	column := e.columns[c]
	v := &view{column: c, of: make([]uint8, column.N)}
	for b := range column.Ordered {
		v.of[b] = uint8(v.n)
		if b < column.Ordered-1 && !e.allowed[c][b] {
			continue
		}
		if v.n++; b < column.Ordered-1 {
			v.cuts = append(v.cuts, int32(b))
		}
	}
	v.ordered, v.tried = v.n, v.n
	var light []int
	weight := int64(0) // of the light ones
	for b := column.Ordered; b < column.N; b++ {
		if w := sum(e.classes[c][b]); w*leafShare >= e.total {
			v.of[b] = uint8(v.tried)
			v.tried++
		} else {
			light, weight = append(light, b), weight+w
		}
	}
	for _, b := range light {
		v.of[b] = uint8(v.tried)
	}
	if v.n = v.tried; weight > 0 {
		v.n++
	}
	return v
}
