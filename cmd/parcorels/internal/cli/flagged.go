package cli

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"parcorels/optionerr"
)

// The packages below know no flags: they name a field of their options, as in
// "option MaxCard". What is printed for people has the option of the command line
// there.

// otherNames are the options that are not called as their fields.
var otherNames = map[string]string{"Budget": "max-antecedents", "Comma": "sep", "Lambdas": "lambda", "Literal": "lambda", "Alpha1": "alpha", "Alpha0": "alpha"}

// flagged returns a text with options instead of fields.
func flagged(text string) string {
	return optionerr.Rename(text, func(name string) string {
		if flag := flagOf(name); flag != "" {
			return "--" + flag
		}
		return ""
	})
}

// flagOf returns the option of a field, without dashes, "" if there is none.
func flagOf(name string) string {
	flag := otherNames[name]
	if flag == "" {
		flag = kebab(name)
	}
	if !slices.ContainsFunc(commands(), func(c *command) bool { return c.option(flag) != nil }) {
		return ""
	}
	return flag
}

// wrongOption returns the option, without dashes, that an error is about, "" if it
// is about none.
func wrongOption(err error) string {
	var wrong *optionerr.Error
	if errors.As(err, &wrong) {
		return flagOf(wrong.Field)
	}
	return ""
}

// kebab writes MaxCard as max-card.
func kebab(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// flaggedAll is flagged for each of some texts.
func flaggedAll(texts []string) []string {
	list := []string{}
	for _, text := range texts {
		list = append(list, flagged(text))
	}
	return list
}
