package rules

import (
	"strconv"
	"strings"
	"unicode"

	"parcorels/dataset"
)

// Names in the reference format are lists in braces, `{sex_=_Male,age_≤_21}`, without spaces, because a space ends them. They
// are made from the names that people read. Where these have characters of the format's own, others stand for them.

// outNames returns the names of all antecedents, made different by a number where they are not.
func outNames(s *Set) []string {
	names := make([]string, len(s.Antecedents))
	taken := map[string]bool{}
	for i, a := range s.Antecedents {
		n := outName(s.Data, a.Literals)
		for k := 2; taken[n]; k++ {
			n = strings.TrimSuffix(outName(s.Data, a.Literals), "}") + "~" + strconv.Itoa(k) + "}"
		}
		taken[n] = true
		names[i] = n
	}
	return names
}

// outName returns the name of a conjunction. A single feature of a file in this format keeps the name that it was given.
func outName(d *dataset.Dataset, literals []Literal) string {
	parts := make([]string, len(literals))
	for i, l := range literals {
		name, given := l.name(d), d.Features[l.Feature].Column == ""
		switch {
		case given && len(literals) == 1 && !l.Negated:
			return noSpaces(name)
		case given:
			parts[i] = noSpaces(braces.Replace(name))
		default:
			parts[i] = plain(name)
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// labelName returns the name of a class, `{target:value}`. A class that never
// occurs has no text of its own: it is what the other is not.
func labelName(d *dataset.Dataset, class int) string {
	value := d.Classes[class]
	if value == "" {
		value = "not " + d.Classes[1-class]
	}
	return "{" + plain(d.Target) + ":" + plain(value) + "}"
}

var (
	ownCharacters = strings.NewReplacer(", ", ";", ",", ";", "{", "(", "}", ")")
	braces        = strings.NewReplacer("{", "", "}", "")
)

// plain replaces the characters that mean something in a list in braces.
func plain(s string) string {
	return noSpaces(ownCharacters.Replace(s))
}

// noSpaces replaces white space and what does not print.
func noSpaces(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || !unicode.IsPrint(r) {
			return '_'
		}
		return r
	}, s)
}
