package nypd

import (
	"fmt"
	"slices"
	"strings"
)

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
