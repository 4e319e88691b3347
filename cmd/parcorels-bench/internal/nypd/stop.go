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

// Flags are the columns of 0 and 1 in the order of the table.
var Flags = []string{
	"cs_objcs", "cs_descr", "cs_casng", "cs_lkout", "cs_cloth", "cs_drgtr", "cs_furtv", "cs_vcrim", "cs_bulge",
	"ac_rept", "ac_inves", "ac_proxm", "ac_evasv", "ac_assoc", "ac_cgdir", "ac_incid", "ac_time", "ac_stsnd",
}

// Header returns the columns of the table.
func Header() []string { return append(slices.Clone(Flags), "city", "location", "inout", "weapon") }

// weapons are the columns that say which weapon was found.
var weapons = []string{"pistol", "riflshot", "asltweap", "knifcuti", "machgun", "othrweap"}

// The texts of codes in the table.
var (
	cities = map[string]string{
		"BRONX": "Bronx", "BROOKLYN": "Brooklyn", "MANHATTAN": "Manhattan", "QUEENS": "Queens",
		"STATEN ISLAND": "Staten-Island", "STATEN IS": "Staten-Island",
	}
	locations = map[string]string{"H": "housing-authority", "T": "transit-authority", "P": "neither", "": "neither"}
	inouts    = map[string]string{"I": "inside", "O": "outside"}
)

// The codes, besides blank, of what is not known.
var (
	unknownSex   = []string{"Z"}
	unknownRace  = []string{"Z", "U", "X"}
	unknownBuild = []string{"Z"}
	unknownAge   = []string{"99", "999"} // and asterisks
)

// columns are the positions, in a file, of what is read.
type columns struct {
	names                                        []string // of all columns
	flags, weapons                               []int
	city, location, inout, sex, race, build, age int
	frisked, searched                            int
}

// findColumns finds them in a header.
func findColumns(header []string) (*columns, error) {
	at := map[string]int{}
	var twice []string
	for i, cell := range header {
		name := strings.ToLower(strings.TrimSpace(cell))
		if _, taken := at[name]; taken {
			twice = append(twice, name)
		}
		at[name] = i
	}
	c := &columns{names: slices.Clone(header)}
	var lacking []string
	find := func(name string) int {
		i, ok := at[name]
		if !ok || slices.Contains(twice, name) {
			lacking = append(lacking, name)
		}
		return i
	}
	for _, name := range Flags {
		c.flags = append(c.flags, find(name))
	}
	for _, name := range weapons {
		c.weapons = append(c.weapons, find(name))
	}
	for name, position := range map[string]*int{
		"city": &c.city, "trhsloc": &c.location, "inout": &c.inout, "sex": &c.sex, "race": &c.race,
		"build": &c.build, "age": &c.age, "frisked": &c.frisked, "searched": &c.searched,
	} {
		*position = find(name)
	}
	if len(lacking) > 0 {
		slices.Sort(lacking)
		return nil, fmt.Errorf("the header has no column, or more than one, of the names %s: expected a file of stops as the NYPD published them for 2008 to 2016", strings.Join(lacking, ", "))
	}
	return c, nil
}
