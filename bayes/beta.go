package bayes

import "math"

// Interval returns the 2.5th and the 97.5th percentile of the Beta(a, b) distribution,
// to six digits.
func Interval(a, b float64) (low, high float64) { return quantile(.025, a, b), quantile(.975, a, b) }

// quantile returns a quantile of the Beta(a, b) distribution, to six digits: model
// files must be equal on all machines.
func quantile(p, a, b float64) float64 {
	low, high := 0., 1.
	for range 60 {
		if x := (low + high) / 2; share(x, a, b) < p {
			low = x
		} else {
			high = x
		}
	}
	return math.Round((low+high)/2*1e6) / 1e6
}

// share is the probability that a Beta(a, b) variable is at most x: the regularised
// incomplete beta function, by its continued fraction (Abramowitz and Stegun, 26.5.8),
// which converges fast for x < (a+1)/(a+b+2); beyond, the other tail is taken.
func share(x, a, b float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2):
		return 1 - tail(1-x, b, a)
	}
	return tail(x, a, b)
}

// tail is share where the fraction converges, or nearly so.
func tail(x, a, b float64) float64 {
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(lab-la-lb+a*math.Log(x)+b*math.Log1p(-x)) / a
	return front / fraction(x, a, b)
}

// fraction evaluates 1 + d1/(1 + d2/(1 + …)) from the front (Lentz's method).
func fraction(x, a, b float64) float64 {
	const tiny, enough = 1e-300, 1e-15
	f, c, d := 1., 1., 0.
	for i := 1; i < 10_000; i++ {
		m := float64(i / 2)
		var t float64
		if i%2 == 0 {
			t = m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		} else {
			t = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		}
		if d = 1 + t*d; math.Abs(d) < tiny {
			d = tiny
		}
		if c = 1 + t/c; math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		f *= c * d
		if math.Abs(c*d-1) < enough {
			break
		}
	}
	return f
}
