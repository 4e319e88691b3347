package nypd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Header are the columns of the table: 18 flags of 0 and 1, three with names, and the label.
var Header = []string{
	"cs_objcs", "cs_descr", "cs_casng", "cs_lkout", "cs_cloth", "cs_drgtr", "cs_furtv", "cs_vcrim", "cs_bulge",
	"ac_rept", "ac_inves", "ac_proxm", "ac_evasv", "ac_assoc", "ac_cgdir", "ac_incid", "ac_time", "ac_stsnd",
	"city", "location", "inout", "weapon",
}

// flags is how many columns of the table are flags.
const flags = 18

// The columns that say which weapon was found, and whether somebody was frisked or searched.
var (
	weapons  = []string{"pistol", "riflshot", "asltweap", "knifcuti", "machgun", "othrweap"}
	searches = []string{"frisked", "searched"}
)

// codes are what the codes of a column stand for, in the table or as yes.
type codes struct {
	of       map[string]string
	expected string
}

const yes = "1"

var (
	yesNo  = codes{map[string]string{"Y": yes, "1": yes, "N": "0", "0": "0", "": "0"}, "Y, 1, N, 0 or blank"}
	cities = codes{map[string]string{
		"BRONX": "Bronx", "BROOKLYN": "Brooklyn", "MANHATTAN": "Manhattan", "QUEENS": "Queens",
		"STATEN ISLAND": "Staten-Island", "STATEN IS": "Staten-Island", "": "",
	}, "one of the five boroughs or blank"}
	locations = codes{map[string]string{"H": "housing-authority", "T": "transit-authority", "P": "neither", "": "neither"},
		"H, T, P or blank"}
	inouts = codes{map[string]string{"I": "inside", "O": "outside", "": ""}, "I, O or blank"}
)

// unknown are the codes, besides blank and asterisks, of what is not known of a person.
var unknown = map[string][]string{"sex": {"Z"}, "race": {"Z", "U", "X"}, "build": {"Z"}, "age": {"99", "999"}}

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

func (s *stop) kept() bool { return s.complete && s.inAge && s.frisked }

// fault is a cell that means nothing.
type fault struct {
	at       int // position of the column
	text     string
	expected string
}

func (f *fault) Error() string { return fmt.Sprintf("%q, expected %s", f.text, f.expected) }

// row is a row of a file, with the positions of its columns by their names.
type row struct {
	at    map[string]int
	cells []string
	fault *fault // the first
}

// code returns the code in a column.
func (r *row) code(column string) string {
	return strings.ToUpper(strings.TrimSpace(r.cells[r.at[column]]))
}

// text returns what the code in a column stands for.
func (r *row) text(column string, c codes) string {
	text, known := c.of[r.code(column)]
	if !known {
		r.refuse(column, c.expected)
	}
	return text
}

func (r *row) refuse(column, expected string) {
	if r.fault == nil {
		r.fault = &fault{r.at[column], r.cells[r.at[column]], expected}
	}
}

// any reports whether one of the columns says yes.
func (r *row) any(columns []string) (is bool) {
	for _, column := range columns {
		is = r.text(column, yesNo) == yes || is
	}
	return is
}

// stop reads the row.
func (r *row) stop() (s stop) {
	for _, column := range Header[:flags] {
		s.cells = append(s.cells, r.text(column, yesNo))
	}
	s.weapon, s.frisked = r.any(weapons), r.any(searches)
	city, inout := r.text("city", cities), r.text("inout", inouts)
	label := "0"
	if s.weapon {
		label = yes
	}
	s.cells = append(s.cells, city, r.text("trhsloc", locations), inout, label)
	s.located = r.code("trhsloc") != ""
	s.complete = city != "" && inout != ""
	for column, codes := range unknown {
		code := r.code(column)
		s.complete = s.complete && strings.Trim(code, "*") != "" && !slices.Contains(codes, code)
	}
	if age := r.code("age"); strings.Trim(age, "*") != "" {
		years, err := strconv.Atoi(age)
		if err != nil {
			r.refuse("age", "a number of years, asterisks or blank")
		}
		s.inAge = youngest <= years && years <= oldest
	}
	return s
}

// positions finds the columns that are read in a header.
func positions(header []string) (map[string]int, error) {
	at, times := map[string]int{}, map[string]int{}
	for i, cell := range header {
		name := strings.ToLower(strings.TrimSpace(cell))
		at[name] = i
		times[name]++
	}
	needed := slices.Concat(Header[:flags], weapons, searches, []string{"city", "trhsloc", "inout", "sex", "race", "build", "age"})
	if lacking := slices.DeleteFunc(needed, func(name string) bool { return times[name] == 1 }); len(lacking) > 0 {
		slices.Sort(lacking)
		return nil, fmt.Errorf("the header has no column, or more than one, of the names %s: expected a file of stops as the NYPD "+
			"published them for 2008 to 2016", strings.Join(lacking, ", "))
	}
	return at, nil
}
