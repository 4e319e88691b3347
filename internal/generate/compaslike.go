package generate

import (
	"math/rand/v2"
	"strconv"
)

// compasLike is a table in the shape of those from which courts predict whether a defendant
// will be arrested again. All of it is made: no row is of a person, and no share is anybody's.
// Young people with earlier arrests are arrested again more often, some at random; the
// districts differ in how often people were arrested before, and in nothing else.
func compasLike() table {
	const rows = 3000
	return table{
		header: []string{"case", "district", "sex", "age", "prior_arrests", "juvenile_arrests", "charge", "employed", "rearrested"},
		rows: func(yield func([]string) bool) {
			random := rand.NewPCG(7, 33)
			below := func(n int64) int64 { return int64(draw(random, n)) }
			chance := func(percent int64) bool { return below(100) < percent }
			for i := range rows {
				district := []string{"north", "south", "east"}[below(3)]
				age := 18 + min(below(30), below(45), below(52))
				priors := int64(0)
				for more := map[string]int64{"north": 50, "east": 58, "south": 68}[district]; priors < 25 && chance(more); {
					priors++
				}
				juvenile := int64(0)
				for juvenile < 6 && chance(max(4, 34-age)) {
					juvenile++
				}
				charge := either(chance(60), "felony", "misdemeanor")
				employed := either(chance(45+min(age-18, 25)), "yes", "no")
				if chance(4) {
					employed = "?"
				}
				sex := either(chance(20), "female", "male")
				risk := int64(18)
				switch {
				case priors >= 4:
					risk = 72
				case age <= 24 && priors >= 1:
					risk = 68
				case juvenile >= 2:
					risk = 62
				case priors >= 2 && employed == "no":
					risk = 52
				}
				again := either(chance(risk), "yes", "no")
				number := func(n int64) string { return strconv.FormatInt(n, 10) }
				if !yield([]string{number(int64(i + 1)), district, sex, number(age), number(priors), number(juvenile), charge, employed,
					again}) {
					return
				}
			}
		},
	}
}

// either returns yes if something is so, and no otherwise.
func either(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}
