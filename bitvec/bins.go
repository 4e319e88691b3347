package bitvec

// BinLanes is how many columns ScanBins looks at side by side.
const BinLanes = 8

// ScanBins looks at sums over bins of the weights of two classes, a and b, on the left side of
// a split and on the right one, which has all less what is on the left. Bin u of column c is
// cell u·BinLanes + c of each list. With A(u) and B(u) the sums over the bins up to u, out has
// for each column the largest A(u) − B(u−1) and B(u) − A(u−1) of the left side, then of the
// right one; at least 0. With ends it has A(u) − B(u) and B(u) − A(u). No sum may exceed 2^30.
func ScanBins(a, b, allA, allB []int32, ends bool, out *[4][BinLanes]int32) {
	if len(a) == 0 || len(a) != len(b) || len(a) != len(allA) || len(a) != len(allB) || len(a)%BinLanes != 0 {
		panic("bitvec: bins of different lengths")
	}
	if !scanBinsFast(a, b, allA, allB, ends, out) {
		ScanBinsGeneric(a, b, allA, allB, ends, out)
	}
}

// ScanBinsGeneric is ScanBins without vectors, of any integers.
func ScanBinsGeneric[T int32 | int64](a, b, allA, allB []T, ends bool, out *[4][BinLanes]T) {
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

func scanEndsGeneric[T int32 | int64](a, b, allA, allB []T, out *[4][BinLanes]T) {
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
