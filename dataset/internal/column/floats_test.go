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
	var all []float64
	for first, some := range f.Blocks() {
		if first != len(all) || first%64 != 0 {
			t.Fatalf("%s: a block begins at %d, want %d", what, first, len(all))
		}
		all = append(all, some...)
	}
	if len(all) != len(values) {
		t.Fatalf("%s: %d numbers in blocks, want %d", what, len(all), len(values))
	}
	for i, v := range all {
		if math.Float64bits(v) != math.Float64bits(f.At(i)) && v == v {
			t.Fatalf("%s: number %d is unpacked with all as %v, want %v", what, i, v, f.At(i))
		}
	}
	if f.Missing() != slices.ContainsFunc(values, math.IsNaN) {
		t.Fatalf("%s: some are missing: %v", what, f.Missing())
	}
	keepsLevels(t, what, f, values)
	return f
}

// keepsLevels compares the distinct numbers with those of sorted ones.
func keepsLevels(t *testing.T, what string, f *Floats, values []float64) {
	t.Helper()
	var s Sorting
	var got []float64
	for v, count := range f.Levels(&s) {
		got = append(got, slices.Repeat([]float64{v}, count)...)
	}
	want := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("%s: %d sorted numbers are others, want %d", what, len(got), len(want))
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

// TestFloatsKeepMantissas: decimals that are added as mantissas are those that are added as floats, and each piece with
// places has a number that needs them, as Integers expects.
func TestFloatsKeepMantissas(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 5))
		places, spread := rng.IntN(5), int64(1)<<rng.IntN(54)
		unit := []int64{1, 1, 10, 100, 1000}[rng.IntN(5)]
		var got, want Floats
		for range 1 + rng.IntN(4) {
			n := pieceSize
			if rng.IntN(4) == 0 {
				n = rng.IntN(pieceSize)
			}
			mantissas := make([]int64, n)
			odd := rng.IntN(3)
			for i := range mantissas {
				mantissas[i] = (rng.Int64N(spread) - spread/3) / unit * unit
				if odd == 2 && rng.IntN(10) == 0 || odd == 1 && i < n {
					mantissas[i] = NoMantissa
				}
				v := float64(mantissas[i]) / tens[places]
				if mantissas[i] == NoMantissa {
					v = math.NaN()
				}
				want.Add(v)
			}
			got.AddDecimals(mantissas, places)
		}
		if got.Len() != want.Len() || got.Missing() != want.Missing() {
			t.Fatalf("seed %d: %d numbers, some missing: %v; want %d, %v", seed, got.Len(), got.Missing(), want.Len(), want.Missing())
		}
		for i := range got.Len() {
			if a, b := got.At(i), want.At(i); math.Float64bits(a+0) != math.Float64bits(b+0) && (a == a || b == b) {
				t.Fatalf("seed %d: number %d is %v, want %v", seed, i, a, b)
			}
		}
		gotAll, _ := got.Integers()
		wantAll, _ := want.Integers()
		if gotAll != wantAll {
			t.Fatalf("seed %d: all are integers: %v, want %v", seed, gotAll, wantAll)
		}
	}
}

// TestDecimals: mantissas and places give the numbers back.
func TestDecimals(t *testing.T) {
	values := []float64{1.5, math.NaN(), -20, 0.125}
	mantissas, places, ok := Decimals(values)
	if want := []int64{1500, NoMantissa, -20000, 125}; !ok || places != 3 || !slices.Equal(mantissas, want) {
		t.Errorf("%v with %d places: %v, want %v with 3", mantissas, places, ok, want)
	}
	if _, _, ok := Decimals([]float64{1, math.Inf(1)}); ok {
		t.Error("an infinite number is a decimal")
	}
}
