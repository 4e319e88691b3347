// Package generate makes a table of any size for measurements. It is the same bytes every time, and no one else's
// data. Begin with [StopFrisk].
package generate

import (
	"bufio"
	"context"
	_ "embed" // the shares
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// StopFrisk is a table like New York's stops with a frisk or search: 18 flags
// of 0 and 1 for the reasons and circumstances of a stop, city, location,
// inside or outside, and whether a weapon was found. No row is of a stop that
// was; the model below says which shares the rows follow, and whose they are.
//
// Half of the rows have a weapon. As in the paper that the shares
// are from, these are drawn, each as often as chance will have it, from as
// many stops with a weapon as belong to the rows without one.
type StopFrisk struct {
	Rows int64 // from 1 to MaxStops
	Seed uint64
}

// MaxStops is the most rows of a StopFrisk table.
const MaxStops = 1_000_000_000

// Validate reports a number of rows that cannot be.
func (s StopFrisk) Validate() error {
	if s.Rows < 1 || s.Rows > MaxStops {
		return fmt.Errorf("%d rows, expected 1 to %d", s.Rows, MaxStops)
	}
	return nil
}

// Write writes the table as CSV with a header, without keeping it. The same
// rows and seed are the same bytes on every system. It returns the
// first error of w, and ctx's cause soon after ctx is cancelled.
func (s StopFrisk) Write(ctx context.Context, w io.Writer) error {
	if err := s.Validate(); err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	maker := newStopMaker(s.Seed)
	for _, c := range maker.table.Columns {
		_, _ = out.WriteString(c.Name + ",") // out keeps its first error
	}
	_, _ = out.WriteString(stopClass + "\n")
	row := 0
	for serial, weapon := range s.stops() {
		if row++; row&4095 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if _, err := out.Write(maker.row(serial, weapon)); err != nil {
			return err
		}
	}
	return out.Flush()
}

// stops yields, for each row, the serial number of its stop among those of its
// class, and the class. Exactly as many rows have a weapon as are to, at random
// places (selection sampling: Knuth, The Art of Computer Programming, volume 2,
// section 3.4.2, algorithm S).
func (s StopFrisk) stops() func(yield func(serial int64, weapon int) bool) {
	weapons := s.Rows / 2
	pool := max(1, (s.Rows-weapons)*modelWeapons/(modelStops-modelWeapons)) // stops that those with a weapon are drawn from
	return func(yield func(int64, int) bool) {
		random := rand.NewPCG(s.Seed, math.MaxUint64)
		var serials [2]int64
		for left, due := s.Rows, weapons; left > 0; left-- {
			class := 0
			if draw(random, left) < due {
				class = 1
				due--
			}
			serial := serials[class]
			serials[class]++
			if class == 1 {
				serial = draw(random, pool)
			}
			if !yield(serial, class) {
				return
			}
		}
	}
}

// draw returns a number below n. Sources of package rand are the same for ever,
// what it makes of them may change: hence not rand.Int64N. That some numbers
// are a little more likely, by n in 2^64, does not matter here.
func draw(source *rand.PCG, n int64) int64 {
	high, _ := bits.Mul64(source.Uint64(), uint64(n))
	return int64(high)
}

// stopMaker makes the rows of stops.
type stopMaker struct {
	table  stopModel
	seed   uint64
	random *rand.PCG
	model  []drawn
	order  []int // of the columns of the table in the model
	chosen []int // value by column of the model
	line   []byte
}

// drawn is a variable ready to be drawn.
type drawn struct {
	values []string
	given  []int      // columns of the model
	limits [2][][]int // the shares added up
}

func newStopMaker(seed uint64) *stopMaker {
	var table stopModel
	if err := json.Unmarshal(stopFile, &table); err != nil {
		panic(err) // it is part of the program
	}
	m := &stopMaker{table: table, seed: seed, random: &rand.PCG{}, chosen: make([]int, len(table.Model))}
	at := map[string]int{}
	for i, v := range table.Model {
		at[v.Column] = i
		d := drawn{values: v.Values}
		for _, column := range v.Given {
			d.given = append(d.given, at[column])
		}
		for class, shares := range v.Shares {
			for _, s := range shares {
				limits := slices.Clone(s)
				for i := 1; i < len(limits); i++ {
					limits[i] += limits[i-1]
				}
				d.limits[class] = append(d.limits[class], limits)
			}
		}
		m.model = append(m.model, d)
	}
	for _, c := range table.Columns {
		m.order = append(m.order, at[c.Name])
	}
	return m
}

// row returns the line of a stop, valid until the next call. A stop depends on
// its number and class alone, so that it can be made again.
func (m *stopMaker) row(serial int64, class int) []byte {
	m.random.Seed(m.seed, uint64(2*serial)+uint64(class))
	for i := range m.model {
		d := &m.model[i]
		combination := 0
		for _, g := range d.given {
			combination = combination*len(m.model[g].values) + m.chosen[g]
		}
		limits := d.limits[class][combination]
		share := int(draw(m.random, 10_000))
		value := 0
		for value < len(limits) && limits[value] <= share {
			value++
		}
		m.chosen[i] = value
	}
	m.line = m.line[:0]
	for _, i := range m.order {
		m.line = append(m.line, m.model[i].values[m.chosen[i]]...)
		m.line = append(m.line, ',')
	}
	m.line = append(m.line, '0'+byte(class), '\n')
	return m.line
}

// How often the columns of a stop-and-frisk table have which value, as shares
// in the stops of 2014 at which someone was frisked or searched: 29,595 stops,
// at 1,397 of which a weapon was found.
//
// Source: the New York City Police Department's stop, question and frisk
// database for 2014, prepared as in section 6 of Angelino, Larus-Stone, Alabi,
// Seltzer and Rudin, Learning Certifiably Optimal Rule Lists for Categorical
// Data, JMLR 18, 2018: the NYCLU data set of that paper.
//
// The shares of a column are given the class and up to two columns before it:
// those that it depends on most, by mutual information, as in a 2-dependence
// Bayesian classifier (Sahami, Learning Limited Dependence Bayesian Classifiers,
// KDD 1996). So single columns, and columns together with those they are given,
// have the shares that they have in the stops, within each class; other columns
// depend on one another by way of the columns between them only, less than in
// the stops. A share of few stops is drawn towards that of more, given one
// column less, as if two stops had it.

const modelStops = 29_595
const modelWeapons = 1_397

// stopModel is the table: its columns in their order, and how they are drawn, in an order in which the columns given come before
// the columns that are given them.
type stopModel struct {
	Columns []struct{ Name, About string }
	Model   []variable
}

// variable is a column of the model.
type variable struct {
	Column string
	Values []string
	Given  []string // columns before it
	// Shares are, in parts of 10,000 and by class, those of all values but the
	// last, for each value of the column given; of two columns given, the values
	// of the second change faster.
	Shares [2][][]int
}

// stopClass is the column of the class: whether a weapon was found.
const stopClass = "weapon"

//go:embed stopfrisk.json
var stopFile []byte
