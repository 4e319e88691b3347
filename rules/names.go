package rules

import (
	"strconv"
	"strings"
	"unicode"

	"parcorels/dataset"
)

// Names in the reference format are lists in braces, `{sex:Male,age:21-22}`,
// without spaces, because a space ends them. They are made from the names that
// people read: `priors > 3` becomes priors:>3,
// `shape ≠ round` shape:!=round, `not is_smiling` not-is_smiling. Where a name or
// a value has characters of the format's own, others stand for them.

// outNames returns the names of all antecedents, made different by a number
// where they are not.
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

// outName returns the name of a conjunction. A single feature of a file in
// this format keeps the name that it was given.
func outName(d *dataset.Dataset, literals []Literal) string {
	if f := &d.Features[literals[0].Feature]; len(literals) == 1 && f.Column == "" && !literals[0].Negated {
		return noSpaces(f.Name)
	}
	parts := make([]string, len(literals))
	for i, l := range literals {
		parts[i] = outLiteral(d, l)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func outLiteral(d *dataset.Dataset, l Literal) string {
	f := &d.Features[l.Feature]
	if rest, ok := strings.CutPrefix(l.name(d), f.Column+" "); ok && f.Column != "" {
		return plain(f.Column) + ":" + plain(relation(rest))
	}
	switch {
	case l.Negated:
		return "not-" + outLiteral(d, Literal{Feature: l.Feature})
	case f.Column == "":
		return noSpaces(strings.TrimSuffix(strings.TrimPrefix(f.Name, "{"), "}"))
	}
	return plain(f.Name)
}

// relations are how the names of features go on behind the column, and what
// stands behind the colon for it.
var relations = []struct{ read, written string }{
	{"= ", ""}, {"≠ ", "!="},
	{"> ", ">"}, {"< ", "<"}, {"≥ ", ">="}, {"≤ ", "<="},
}

func relation(rest string) string {
	for _, r := range relations {
		if operand, ok := strings.CutPrefix(rest, r.read); ok {
			return r.written + operand
		}
	}
	return rest
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

var ownCharacters = strings.NewReplacer("–", "-", ", ", ";", ",", ";", "{", "(", "}", ")")

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
