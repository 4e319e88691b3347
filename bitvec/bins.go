package bitvec

// BinLanes is how many columns ScanBins looks at side by side.
const BinLanes = 16

// BinWeight is a number that bins count with. Kernels have those of 16 and 32 bits.
type BinWeight interface{ int16 | int32 | int64 }

// BinMost is the largest sum that numbers of 16 and 32 bits take.
const BinMost16, BinMost32 = 1<<15 - 1, 1<<30 - 1

// ScanBins bounds what thresholds get right, from sums over bins of the weights of two classes, a and
// b, on the left side of a split and on the right one, which has all less what is on the left. Bin
// u of column c is cell u·BinLanes + c of each list. Counts are the weights of a and b on the
// left side, then on the right one. With A(u) and B(u) the sums over the bins up to u, out has for each
// column the largest A(u) − B(u−1) + b and B(u) − A(u−1) + a of the left side, then of the right
// one; at least a and b. With ends it takes A(u) − B(u) and B(u) − A(u). All weights together are
// at most BinMost16 or BinMost32.
//
// With halves there are half as many columns, and the second half of a column's bins is that of column
// c + BinLanes/2.
func ScanBins[T BinWeight](a, b, allA, allB []T, ends, halves bool, counts *[4]T, out *[2][BinLanes]T) {
	if len(a) == 0 || len(a) != len(b) || len(a) != len(allA) || len(a) != len(allB) || len(a)%BinLanes != 0 {
		panic("bitvec: bins of different lengths")
	}
	if scanBinsFast(a, b, allA, allB, ends, halves, counts, out) {
		return
	}
	n := len(a)
	b, allA, allB = b[:n], allA[:n], allB[:n]
	within := ^T(0) // all bits
	if ends {
		within = 0
	}
	columns := binColumns(halves)
	for lane := range BinLanes {
		var l, r, leftAB, leftBA, rightAB, rightBA T // l and r are A − B
		for from := lane; from < BinLanes && lane < columns; from += columns {
			for i := from; i < n; i += BinLanes {
				x, y := a[i], b[i]
				next := l + x - y
				leftAB, leftBA = max(leftAB, next+y&within), max(leftBA, x&within-next)
				l = next
				x, y = allA[i]-x, allB[i]-y
				next = r + x - y
				rightAB, rightBA = max(rightAB, next+y&within), max(rightBA, x&within-next)
				r = next
			}
		}
		out[0][lane] = max(leftAB+counts[1], leftBA+counts[0])
		out[1][lane] = max(rightAB+counts[3], rightBA+counts[2])
	}
}

func binColumns(halves bool) int {
	if halves {
		return BinLanes / 2
	}
	return BinLanes
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
