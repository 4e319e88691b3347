package column

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// keeps checks that Floats gives back bit for bit what was added.
func keeps(t *testing.T, what string, values []float64) *Floats {
	t.Helper()
	f := &Floats{}
	for _, v := range values {
		f.Add(v)
	}
	if f.Len() != len(values) {
		t.Fatalf("%s: %d numbers, want %d", what, f.Len(), len(values))
	}
	for i, v := range values {
		if got := f.At(i); math.Float64bits(got) != math.Float64bits(v) && (got == got || v == v) {
			t.Fatalf("%s: number %d is %v (%x), want %v (%x)", what, i, got, math.Float64bits(got), v, math.Float64bits(v))
		}
	}
	var block [64]float64
	for first := 0; first < len(values); first += 64 {
		n := f.Unpack(block[:], first)
		for i := range n {
			if math.Float64bits(block[i]) != math.Float64bits(f.At(first+i)) && block[i] == block[i] {
				t.Fatalf("%s: number %d is unpacked as %v, want %v", what, first+i, block[i], f.At(first+i))
			}
		}
		if n != min(64, len(values)-first) {
			t.Fatalf("%s: %d numbers from %d on of %d", what, n, first, len(values))
		}
	}
	var all []float64
	f.Blocks(new(Block), func(first int, values []float64) {
		if first != len(all) {
			t.Fatalf("%s: a block begins at %d, want %d", what, first, len(all))
		}
		all = append(all, values...)
	})
	keepsRange(t, what, f, all)
	for i, v := range all {
		if math.Float64bits(v) != math.Float64bits(f.At(i)) && v == v {
			t.Fatalf("%s: number %d is unpacked with all as %v, want %v", what, i, v, f.At(i))
		}
	}
	for _, v := range values {
		if f.Whole() && v == v && v != math.Trunc(v) {
			t.Fatalf("%s: %v is taken for an integer", what, v)
		}
	}
	keepsCuts(t, what, f, values)
	return f
}

// keepsCuts compares sets of numbers that are at least some cuts with a look at each number.
func keepsCuts(t *testing.T, what string, f *Floats, values []float64) {
	t.Helper()
	cuts := []float64{math.Inf(-1), -1, 0, 1, 12.5, math.MaxFloat64, math.Inf(1)}
	for i := 0; i < len(values); i += len(values)/4 + 1 {
		if v := values[i]; v == v {
			cuts = append(cuts, v, math.Nextafter(v, math.Inf(1)), math.Nextafter(v, math.Inf(-1)))
		}
	}
	words := 0
	f.AtLeast(cuts, func(word int, present uint64, atLeast []uint64) {
		if words++; word != words-1 {
			t.Fatalf("%s: word %d comes as the %d.", what, word, words)
		}
		for i := range 64 {
			v := math.NaN()
			if at := 64*word + i; at < len(values) {
				v = values[at]
			}
			if got := present>>i&1 == 1; got != (v == v) {
				t.Fatalf("%s: number %d is %v and there: %v", what, 64*word+i, v, got)
			}
			for k, cut := range cuts {
				if got := atLeast[k]>>i&1 == 1; got != (v >= cut) {
					t.Fatalf("%s: number %d is %v, at least %v: %v", what, 64*word+i, v, cut, got)
				}
			}
		}
	})
	if words != (len(values)+63)/64 {
		t.Fatalf("%s: %d words of %d numbers", what, words, len(values))
	}
}

// keepsRange compares the range with a look at each number.
func keepsRange(t *testing.T, what string, f *Floats, values []float64) {
	t.Helper()
	least, most := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v == v {
			least, most = min(least, v), max(most, v)
		}
	}
	if a, b := f.Range(); len(values) != f.Len() || a != least || b != most {
		t.Fatalf("%s: %d numbers from %v to %v, want %d from %v to %v", what, len(values), a, b, f.Len(), least, most)
	}
}

// TestFloatsKeepDecimals: decimals of any number of digits, with missing and
// infinite ones among them, come back as the numbers that their texts are.
func TestFloatsKeepDecimals(t *testing.T) {
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 3))
		digits, places := 1+rng.IntN(18), rng.IntN(23)
		odd := rng.IntN(4)
		var values []float64
		for range pieceSize*2 + rng.IntN(pieceSize) {
			text := strconv.FormatInt(rng.Int64N(int64(math.Pow10(digits)))-rng.Int64N(1000), 10) + "e-" + strconv.Itoa(rng.IntN(places+1))
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case odd > 0 && rng.IntN(50) == 0:
				v = math.NaN()
			case odd > 1 && rng.IntN(9000) == 0:
				v = math.Inf(1 - 2*rng.IntN(2))
			case odd > 2 && rng.IntN(9000) == 0:
				v = rng.NormFloat64() * math.Pow(10, float64(rng.IntN(600)-300))
			}
			values = append(values, v)
		}
		keeps(t, "seed "+strconv.FormatUint(seed, 10), values)
	}
}

// TestFloatsAtTheEdges: numbers at which packing begins to fail.
func TestFloatsAtTheEdges(t *testing.T) {
	for _, few := range [][]float64{
		{0}, {math.NaN()}, {math.Inf(1)}, {math.MaxFloat64, 0.1}, {math.SmallestNonzeroFloat64}, {0.1, 0.30000000000000004},
		{maxMantissa, 0}, {maxMantissa + 1, 0}, {-maxMantissa, maxMantissa}, {1 << 53, 1<<53 - 1}, {1e22, 1e-22}, {1e15, 1e-3},
		{0.5, math.NaN()}, {1, 1e-18}, {1, 1e-19}, {123456789.123456789}, {4503599627370497.5, 1},
	} {
		var values []float64
		for i := range pieceSize + 7 {
			values = append(values, few[i%len(few)])
		}
		keeps(t, strconv.FormatFloat(few[0], 'g', -1, 64), values)
	}
}

// TestFloatsWithOneOfAKind: a number that has few places, but too many digits
// with those of all others, is not lost.
func TestFloatsWithOneOfAKind(t *testing.T) {
	for _, at := range []int{0, 1, pieceSize - 1} {
		values := slices.Repeat([]float64{1e-3, 7.5}, pieceSize/2)
		values[at] = 1e15
		keeps(t, "1e15", values)
	}
}

// TestFloatsSize checks that memory follows the digits of the numbers.
func TestFloatsSize(t *testing.T) {
	for _, c := range []struct {
		largest float64
		places  int
		bits    int
	}{{1, 0, 2}, {9.9, 1, 7}, {0.9999, 4, 14}, {999999.99, 2, 27}, {-99.99, 2, 14}} {
		rng := rand.New(rand.NewPCG(1, 1))
		values := []float64{c.largest, 0, math.NaN()}
		for len(values) < pieceSize {
			values = append(values, math.Round(rng.Float64()*c.largest*tens[c.places])/tens[c.places]+0)
		}
		f := keeps(t, "packed", values)
		if got := len(f.pieces[0].words); got != pieceSize*c.bits/64 {
			t.Errorf("numbers up to %v take %d words, want %d bits each", c.largest, got, c.bits)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	f := &Floats{}
	for range pieceSize {
		f.Add(rng.Float64())
	}
	if got := len(f.pieces[0].words); got != pieceSize {
		t.Errorf("numbers of many digits take %d words, want %d", got, pieceSize)
	}
}
