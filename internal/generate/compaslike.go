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
				charge := "misdemeanor"
				if chance(60) {
					charge = "felony"
				}
				employed := "no"
				if chance(45 + min(age-18, 25)) {
					employed = "yes"
				}
				if chance(4) {
					employed = "?"
				}
				sex := "male"
				if chance(20) {
					sex = "female"
				}
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
				again := "no"
				if chance(risk) {
					again = "yes"
				}
				if !yield([]string{strconv.Itoa(i + 1), district, sex, strconv.FormatInt(age, 10), strconv.FormatInt(priors, 10), strconv.FormatInt(juvenile, 10), charge, employed, again}) {
					return
				}
			}
		},
	}
}
