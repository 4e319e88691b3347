package main

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// logarithmic is a scale that, unlike the library's, takes zeros: they lie at
// its lower end.
type logarithmic struct{}

func (logarithmic) Normalize(low, high, x float64) float64 {
	if low <= 0 {
		low = high / span
	}
	if high <= low || high <= 0 {
		return 0.5
	}
	return math.Log(max(x, low)/low) / math.Log(high/low)
}

// span is how far a logarithmic axis reaches down if its data reach to zero.
const span = 1e6

// decades marks powers of ten, and where there are few also 2 and 5 times them.
type decades struct{}

func (decades) Ticks(low, high float64) (ticks []plot.Tick) {
	if low <= 0 {
		low = high / span
	}
	few := high/low < 200
	for e := -9; e < 18 && math.Pow10(e) <= high*1.0001; e++ {
		p := math.Pow10(e)
		for m := 1.0; m < 10; m++ {
			v := m * p
			if v < low*0.9999 || v > high*1.0001 {
				continue
			}
			label := ""
			if m == 1 || few && (m == 2 || m == 5) {
				label = axisNumber(v)
			}
			ticks = append(ticks, plot.Tick{Value: v, Label: label})
		}
	}
	return ticks
}

// axisNumber is a round number, short.
func axisNumber(v float64) string {
	switch {
	case v >= 0.999e9:
		return fmt.Sprintf("%.0f G", v/1e9)
	case v >= 0.999e6:
		return fmt.Sprintf("%.0f M", v/1e6)
	case v >= 0.999e4:
		return fmt.Sprintf("%.0f k", v/1e3)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

const mostTicks = 12 // of a linear axis

// linear marks a linear axis at some round numbers.
type linear struct{}

func (linear) Ticks(low, high float64) (ticks []plot.Tick) {
	if high <= low {
		return nil
	}
	step := math.Pow(10, math.Floor(math.Log10(high-low)))
	for _, smaller := range []float64{0.5, 0.4, 0.5} { // a half, a fifth and a tenth of the power
		if (high-low)/step >= 4 {
			break
		}
		step *= smaller
	}
	decimals := max(0, -int(math.Floor(math.Log10(step)*0.9999)))
	first := math.Ceil(low / step)
	for i := range mostTicks {
		v := (first + float64(i)) * step
		if v > high {
			break
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', decimals, 64)})
	}
	return ticks
}

// ticks marks the values given.
type ticks []float64

func (t ticks) Ticks(_, _ float64) (list []plot.Tick) {
	for _, v := range t {
		list = append(list, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', -1, 64)})
	}
	return list
}
