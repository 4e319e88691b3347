package bench

import (
	"errors"
	"parcorels/internal/wording"
	"strings"
)

// CommandLine joins a program and its arguments so that a shell, and words,
// would split them as they are.
//
// The packages that split words as shells do either cut a line at the first of
// ; & | < >, take # for a comment or are no longer kept, and none of the small
// ones quotes; the pair below is tested against each other.
func CommandLine(program string, args ...string) string {
	line := program
	for _, a := range args {
		line += " " + wording.ShellWord(a)
	}
	return line
}

// words splits a command line as a shell does, but for its expansions: spaces
// separate, quotes and backslashes hold together. No shell ever sees it.
func words(line string) ([]string, error) {
	var list []string
	var word strings.Builder
	begun := false // the word may be empty, in quotes
	var quote rune
	escaped := false
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, begun = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, begun = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if begun {
				list = append(list, word.String())
				word.Reset()
				begun = false
			}
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if quote != 0 || escaped {
		return nil, errors.New("a quote or a backslash at the end has nothing to go with")
	}
	if begun {
		list = append(list, word.String())
	}
	return list, nil
}
