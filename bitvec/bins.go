package bitvec

// BinLanes is how many columns ScanBins and BoundBins look at side by side.
const BinLanes = 16

// BinWeight is a number that bins count with. Kernels have those of 16 and 32 bits.
type BinWeight interface{ int16 | int32 | int64 }

// BinMost is the largest sum that numbers of 16 and 32 bits take.
const BinMost16, BinMost32 = 1<<15 - 1, 1<<30 - 1

// ScanBins looks at sums over bins of the weights of two classes, a and b, on the left side of
// a split and on the right one, which has all less what is on the left. Bin u of column c is
// cell u·BinLanes + c of each list. With A(u) and B(u) the sums over the bins up to u, out has
// for each column the largest A(u) − B(u−1) and B(u) − A(u−1) of the left side, then of the
// right one; at least 0. With ends it has A(u) − B(u) and B(u) − A(u). All weights together are at
// most BinMost16 or BinMost32.
func ScanBins[T BinWeight](a, b, allA, allB []T, ends bool, out *[4][BinLanes]T) {
	checkBins(a, b, allA, allB)
	if scanBinsFast(a, b, allA, allB, ends, out) {
		return
	}
	if ends {
		scanEndsGeneric(a, b, allA, allB, out)
		return
	}
	n := len(a)
	b, allA, allB = b[:n], allA[:n], allB[:n]
	for lane := range BinLanes {
		var l, r, leftAB, leftBA, rightAB, rightBA T // l and r are A − B
		for i := lane; i < n; i += BinLanes {
			x, y := a[i], b[i]
			leftAB, leftBA = max(leftAB, l+x), max(leftBA, y-l)
			l += x - y
			x, y = allA[i]-x, allB[i]-y
			rightAB, rightBA = max(rightAB, r+x), max(rightBA, y-r)
			r += x - y
		}
		out[0][lane], out[1][lane], out[2][lane], out[3][lane] = leftAB, leftBA, rightAB, rightBA
	}
}

func checkBins[T BinWeight](a, b, allA, allB []T) {
	if len(a) == 0 || len(a) != len(b) || len(a) != len(allA) || len(a) != len(allB) || len(a)%BinLanes != 0 {
		panic("bitvec: bins of different lengths")
	}
}

func scanEndsGeneric[T BinWeight](a, b, allA, allB []T, out *[4][BinLanes]T) {
	n := len(a)
	b, allA, allB = b[:n], allA[:n], allB[:n]
	for lane := range BinLanes {
		var l, r, leftAB, leftBA, rightAB, rightBA T
		for i := lane; i < n; i += BinLanes {
			d := a[i] - b[i]
			l += d
			leftAB, leftBA = max(leftAB, l), max(leftBA, -l)
			r += allA[i] - allB[i] - d
			rightAB, rightBA = max(rightAB, r), max(rightBA, -r)
		}
		out[0][lane], out[1][lane], out[2][lane], out[3][lane] = leftAB, leftBA, rightAB, rightBA
	}
}

// BoundBins bounds what thresholds within each bin get right, of one side as in ScanBins: with D(u) =
// A(u) − B(u), before has D(u−1) of each cell, and right the larger one of A(u) − B(u−1) + restB
// and B(u) − A(u−1) + restA, where rests are the weights of the classes on that side.
func BoundBins[T BinWeight](a, b, allA, allB []T, isRight bool, restA, restB int64, right, before []T) {
	checkBins(a, b, allA, allB)
	if len(right) != len(a) || len(before) != len(a) {
		panic("bitvec: bins of different lengths")
	}
	if boundBinsFast(a, b, allA, allB, isRight, restA, restB, right, before) {
		return
	}
	var d [BinLanes]T
	for i, x := range a {
		y, lane := b[i], i%BinLanes
		if isRight {
			x, y = allA[i]-x, allB[i]-y
		}
		before[i], right[i] = d[lane], max(d[lane]+x+T(restB), y-d[lane]+T(restA))
		d[lane] += x - y
	}
}

// BinItem is an item of a list in the order of a column: its key there, a rank and in its last bits a
// class, and its number, under which its rows are found.
type BinItem uint64

// NewBinItem makes an item.
func NewBinItem(key, number int32) BinItem {
	return BinItem(uint32(key))<<32 | BinItem(uint32(number))
}

// Number and Key return the parts of an item.
func (i BinItem) Number() uint32 { return uint32(i) }
func (i BinItem) Key() int32     { return int32(i >> 32) }

// TallyBins adds sign to the cells that the rows of items name, and to the counts of their classes. An
// item has a row of k cells. The cells of its class, which mask takes from its key, begin at class ·
// stride. It is for weights of 1.
func TallyBins[T BinWeight](items []BinItem, rows []uint16, k int, mask int32, cells []T, stride int, sign T, counts []int64) {
	if len(items) == 0 || tallyBinsFast(items, rows, k, mask, cells, stride, sign, counts) {
		return
	}
	for _, i := range items {
		class := i.Key() & mask
		counts[class] += int64(sign)
		x := cells[int(class)*stride:][:stride]
		for _, at := range rows[int(i.Number())*k:][:k] {
			x[at] += sign
		}
	}
}
