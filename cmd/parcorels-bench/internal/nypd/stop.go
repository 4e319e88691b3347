package nypd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The ages that are kept.
const (
	youngest = 12
	oldest   = 89
)

// stop is what a row says.
type stop struct {
	complete bool // nothing that counts is unknown
	inAge    bool // known to be of an age that is kept
	frisked  bool // or searched
	weapon   bool
	located  bool     // the location is not blank
	cells    []string // of the table
}

// fault is a cell that means nothing.
type fault struct {
	at       int // position of the column
	text     string
	expected string
}

func (f *fault) Error() string { return fmt.Sprintf("%q, expected %s", f.text, f.expected) }

// read reads a row into s, whose cells it overwrites.
func (c *columns) read(row []string, s *stop) error {
	*s = stop{complete: true, cells: s.cells[:0]}
	for _, i := range c.flags {
		yes, err := c.flag(row, i)
		if err != nil {
			return err
		}
		s.cells = append(s.cells, digit(yes))
	}
	for _, i := range c.weapons {
		yes, err := c.flag(row, i)
		if err != nil {
			return err
		}
		s.weapon = s.weapon || yes
	}
	for _, i := range []int{c.frisked, c.searched} {
		yes, err := c.flag(row, i)
		if err != nil {
			return err
		}
		s.frisked = s.frisked || yes
	}
	if err := c.readPlace(row, s); err != nil {
		return err
	}
	s.cells = append(s.cells, digit(s.weapon))
	return c.readPerson(row, s)
}

// readPlace reads city, location, and inside or outside.
func (c *columns) readPlace(row []string, s *stop) error {
	for _, p := range []struct {
		at       int
		codes    map[string]string
		expected string
	}{
		{c.city, cities, "one of the five boroughs or blank"},
		{c.location, locations, "H, T, P or blank"},
		{c.inout, inouts, "I, O or blank"},
	} {
		code := strings.ToUpper(strings.TrimSpace(row[p.at]))
		text, ok := p.codes[code]
		if !ok && code != "" {
			return &fault{p.at, row[p.at], p.expected}
		}
		s.complete = s.complete && ok
		s.cells = append(s.cells, text)
	}
	s.located = strings.TrimSpace(row[c.location]) != ""
	return nil
}

// readPerson finds out whether sex, race, build and age are known.
func (c *columns) readPerson(row []string, s *stop) error {
	for _, p := range []struct {
		at      int
		unknown []string
	}{{c.sex, unknownSex}, {c.race, unknownRace}, {c.build, unknownBuild}} {
		code := strings.ToUpper(strings.TrimSpace(row[p.at]))
		s.complete = s.complete && code != "" && !slices.Contains(p.unknown, code)
	}
	age := strings.TrimSpace(row[c.age])
	if strings.Trim(age, "*") == "" || slices.Contains(unknownAge, age) {
		s.complete = false
		return nil
	}
	years, err := strconv.Atoi(age)
	if err != nil {
		return &fault{c.age, row[c.age], "a number of years, asterisks or blank"}
	}
	s.inAge = youngest <= years && years <= oldest
	return nil
}

// flag reads yes or no.
func (c *columns) flag(row []string, at int) (bool, error) {
	switch strings.ToUpper(strings.TrimSpace(row[at])) {
	case "Y", "1":
		return true, nil
	case "N", "0", "":
		return false, nil
	}
	return false, &fault{at, row[at], "Y, 1, N, 0 or blank"}
}

func digit(yes bool) string {
	if yes {
		return "1"
	}
	return "0"
}
