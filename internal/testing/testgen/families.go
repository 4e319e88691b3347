package testgen

import (
	"math/rand/v2"

	"parcorels/internal/testing/oracle"
	"parcorels/ratio"
)

// Small returns an instance of 1 to 40 samples and 0 to 7 antecedents, with λ
// of any size: the oracle visits at most 13,700 lists.
func Small(seed uint64) Instance {
	rng := source("small", seed)
	samples := between(rng, 8, 40)
	if chance(rng, .2) {
		samples = between(rng, 1, 8)
	}
	p := draw(rng, samples, min(7, between(rng, 0, 11)))
	p.Lambda = lambda(rng, p.Total())
	return Instance{p, "small", seed}
}

// Ties returns an instance of 5 to 10 weighted points and 4 to 6 antecedents
// made of each other, whose gains are a few multiples of λN or half of it:
// lists of different lengths that leave the same points often tie, or nearly.
func Ties(seed uint64) Instance {
	rng := source("ties", seed)
	samples := between(rng, 5, 10)
	p := oracle.Problem{Labels: Random(rng, samples, .5)}
	p.Weights = smallWeights(rng, samples, between64(rng, 2, 6))
	for range between(rng, 4, 6) {
		p.Columns = append(p.Columns, Random(rng, samples, pick(rng, .2, .3, .4)))
	}
	whole := rng.Perm(len(p.Columns))
	p.Columns[whole[0]] = combine(p.Columns[whole[1]], p.Columns[whole[2]], pick(rng, or, or, without))
	gains := pick[int64](rng, 1, 1, 2, 3)
	p.Lambda = within(gains, p.Total()*pick[int64](rng, 1, 1, 2))
	return Instance{p, "ties", seed}
}

// Wide returns an instance of up to 300 samples, so that each class may fill
// several words, and 8 to 20 antecedents. Its λ is so large that the oracle
// visits some ten thousand lists.
func Wide(seed uint64) Instance {
	rng := source("wide", seed)
	p := draw(rng, pick(rng, between(rng, 2, 40), between(rng, 40, 300)), pick(rng, between(rng, 8, 10), between(rng, 8, 20)))
	p.Lambda = steep(rng, &p, 20000)
	return Instance{p, "wide", seed}
}

// Medium returns an instance of 60 to 500 samples and 15 to 60 antecedents, in
// half the cases a few features and most of their pairs, with a λ of which 6
// to 40 fit into the empty list's objective. It takes a good solver
// milliseconds, as a rule, and the oracle for ever.
func Medium(seed uint64) Instance {
	rng := source("medium", seed)
	samples, antecedents := between(rng, 60, 500), between(rng, 15, 60)
	var p oracle.Problem
	if chance(rng, .5) {
		p = draw(rng, samples, antecedents)
	} else {
		rows := features(rng, samples, between(rng, 5, 10))
		p = oracle.Problem{Labels: labels(rng, rows), Columns: pairs(rng, rows, antecedents)}
		p.Weights = weights(rng, p.Labels)
	}
	p.Lambda = fitting(rng, &p, between(rng, 6, 40))
	return Instance{p, "medium", seed}
}

// draw returns a problem without its λ.
func draw(rng *rand.Rand, samples, antecedents int) oracle.Problem {
	rows := features(rng, samples, between(rng, 1, antecedents+1))
	p := oracle.Problem{Labels: labels(rng, rows)}
	p.Columns = columns(rng, rows, p.Labels, antecedents)
	p.Weights = weights(rng, p.Labels)
	return p
}

// lambda returns a λ in (0, 1) for a total weight: most often one for which λN
// is a small whole number or half of one, so that rules are exactly worth what
// they cost; else a round decimal, a tiny one, a large one, or any.
func lambda(rng *rand.Rand, total int64) ratio.Ratio {
	var l ratio.Ratio
	switch rng.IntN(9) {
	case 0, 1, 2, 3, 4:
		if total < 1<<18 {
			a := pick(rng, 1, 1, 1+rng.Int64N(3), 1+rng.Int64N(1+total/8))
			l = ratio.New(a, total*pick[int64](rng, 1, 1, 2, 3))
		}
	case 5:
		l = ratio.New(pick[int64](rng, 1, 5, 10, 15, 20), 1000)
	case 6:
		l = ratio.New(1, pick[int64](rng, 1e5, 1e6))
	case 7:
		l = ratio.New(between64(rng, 20, 90), 100)
	case 8:
		l = ratio.New(1+rng.Int64N(200), between64(rng, 201, 2000))
	}
	if !l.Within() {
		return ratio.New(1, between64(rng, 2, 100))
	}
	return l
}

// steep returns a λ for which p has at most about so many lists that are not
// longer than the empty list's objective allows.
func steep(rng *rand.Rand, p *oracle.Problem, lists int) ratio.Ratio {
	length := 0
	for n := len(p.Columns); n <= lists && length < len(p.Columns); length++ {
		n *= len(p.Columns) - length
	}
	return fitting(rng, p, between(rng, max(1, length-2), max(1, length)))
}

// fitting returns a λ of which about so many fit into the empty list's
// objective, exactly so many in half the cases: then λN divides the weight of
// the lighter class, and whole counts tie with it.
func fitting(rng *rand.Rand, p *oracle.Problem, length int) ratio.Ratio {
	class := byClass(p.Labels, p.Weight)
	minority, total := min(class[0], class[1]), class[0]+class[1]
	many := int64(length)
	switch {
	case minority == 0:
		return ratio.New(1, between64(rng, 4, 20))
	case total >= 1<<24: // few digits, so that objectives fit
		return ratio.New(1, between64(rng, (total*many-1)/minority+1, (total*(many+1)-1)/minority))
	case chance(rng, .5):
		return within((minority-1)/many+1, total)
	}
	return within(16*minority, total*between64(rng, 16*many, 16*many+15))
}

// within returns a/b, or 1/2 where that is no λ.
func within(a, b int64) ratio.Ratio {
	if l := ratio.New(a, b); l.Within() {
		return l
	}
	return ratio.New(1, 2)
}

func between64(rng *rand.Rand, low, high int64) int64 { return low + rng.Int64N(high-low+1) }

// Knotty returns an instance of 24 to 64 samples and 6 to 8 antecedents that
// have nothing to do with each other, labels that they tell little about, and a
// λ of one or two errors or a part of one: the search of a good solver without
// a first incumbent and look-ahead is as long as the oracle's reach allows.
func Knotty(seed uint64) Instance {
	rng := source("knotty", seed)
	samples := between(rng, 24, 64)
	p := oracle.Problem{Labels: Random(rng, samples, pick(rng, .3, .5))}
	density := pick(rng, .1, .2, .3, .5)
	for range between(rng, 6, 8) {
		p.Columns = append(p.Columns, Random(rng, samples, density))
	}
	if chance(rng, .4) {
		p.Weights = smallWeights(rng, samples, 3)
	}
	p.Lambda = within(pick[int64](rng, 1, 1, 1, 2), p.Total()*pick[int64](rng, 1, 1, 2, 3))
	if chance(rng, .4) {
		p.Lambda = nearly(rng, p.Total())
	}
	return Instance{p, "knotty", seed}
}

// Nearly returns an instance of 4 to 9 samples and 3 to 5 antecedents in which
// a rule is worth its price, or not, by the least that objectives can differ.
func Nearly(seed uint64) Instance {
	rng := source("nearly", seed)
	samples := between(rng, 4, 9)
	p := oracle.Problem{Labels: Random(rng, samples, .5)}
	for range between(rng, 3, 5) {
		p.Columns = append(p.Columns, Random(rng, samples, pick(rng, .2, .3, .4)))
	}
	if chance(rng, .3) {
		p.Weights = smallWeights(rng, samples, 3)
	}
	p.Lambda = nearly(rng, p.Total())
	return Instance{p, "nearly", seed}
}

// nearly returns a λ for which λN misses a whole number, 1 to 3, by the least
// that objectives can differ: with λ = a/b, they are multiples of 1/bN, and aN
// is one more or less than a multiple of b. A rule that gains so many errors is worth
// its price, or not, by just that.
func nearly(rng *rand.Rand, total int64) ratio.Ratio {
	gain, off := pick[int64](rng, 1, 1, 2, 3), pick[int64](rng, -1, 1)
	for gain > 1 && (total+off)%gain != 0 {
		gain--
	}
	return within(gain, total+off)
}
