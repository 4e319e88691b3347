package bench

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/bits-and-blooms/bitset"
	"golang.org/x/sync/errgroup"

	"parcorels/bitvec"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/generate"
	"parcorels/internal/peakmem"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/search"
	"parcorels/rules"
)

// The most rows and flags of a table that is made.
const mostRows = 100_000_000
const mostFlags = 10_000

var families = []kind{
	{"stopfrisk", "ROWS", []int{1}, []int{generate.MaxStops},
		"stops as \"parcorels-bench stopfrisk\" makes them, 28 antecedents as in the papers' NYPD problem", stopFrisk},
	{"weak", "ROWSxFLAGS", []int{2, 1}, []int{mostRows, mostFlags},
		"random flags that each say little about the class", weak},
	{"planted", "ROWSxFLAGS", []int{2, 4}, []int{mostRows, mostFlags},
		"random flags, and a class that a list of three rules tells in nine of ten samples", planted},
	{"numbers", "ROWSxCOLUMNS", []int{2, 4}, []int{mostRows, 1000},
		"numbers of which each may be split anywhere, and a class that a list of four rules tells but for one label in seven", numbers},
}

const stopFriskSeed = 1

// stopFrisk reads a table while it is made, so that it is never kept as text.
func stopFrisk(ctx context.Context, name string, n []int) (*dataset.Dataset, error) {
	table := generate.StopFrisk{Rows: int64(n[0]), Seed: stopFriskSeed}
	read, write := io.Pipe()
	go func() { _ = write.CloseWithError(table.Write(ctx, write)) }()
	defer read.Close()
	return dataset.ReadFrom(read, name, dataset.Options{})
}

// flagTable makes a table of flags. The row says of one row after the other which flags it has, and its class.
func flagTable(name string, rows, flags int, row func(has []bool) bool) *dataset.Dataset {
	d := &dataset.Dataset{
		Source: name, Format: "csv", N: rows, Target: "class", Classes: []string{"no", "yes"},
		ClassOf: make([]uint16, rows), WeightUnit: ratio.New(1, 1),
	}
	for i := range flags {
		name := "f" + strconv.Itoa(i+1)
		d.Columns = append(d.Columns, name)
		d.Features = append(d.Features, dataset.Feature{
			Name: name, Column: name, Test: dataset.Test{Kind: dataset.True, Complete: true}, Group: -1, Bits: bitset.New(uint(rows)),
		})
	}
	d.Columns = append(d.Columns, "class")
	has := make([]bool, flags)
	for i := range rows {
		if row(has) {
			d.ClassOf[i] = 1
		}
		for f, is := range has {
			d.Features[f].Bits.SetTo(uint(i), is)
		}
	}
	return d
}

// Weak tables have many flags that each say little about the class, as tables of
// customers and coupons have: the flags are independent of each other, and each
// moves the chance of the class up or down by about a twentieth. No small tree is
// much better than another, so a proof has to look at very many sets.

const weakSeed = 20190523

// weak makes the table.
func weak(_ context.Context, name string, n []int) (*dataset.Dataset, error) {
	random := rand.New(rand.NewPCG(weakSeed, uint64(n[1])))
	density := make([]int, n[1]) // of 16
	for f := range density {
		density[f] = 2 + random.IntN(7)
	}
	return flagTable(name, n[0], n[1], func(has []bool) bool {
		score := 0
		for f := range has {
			if has[f] = random.IntN(16) < density[f]; has[f] {
				score += 1 - f%2*2
			}
		}
		return score+random.IntN(21)-10 > 0
	}), nil
}

// Planted tables show how the search grows with samples and with antecedents:
// the flags are correlated through eight hidden traits, so that the number of
// distinct points grows ever more slowly with the rows, as in real tables, and
// the class follows a list of three rules in nine of ten samples. They are the
// same bits every time, and the first rows of a longer table with as many
// flags are those of a shorter one.

const plantedTraits = 8
const plantedSeed = 20180606

// planted makes the table.
func planted(_ context.Context, name string, n []int) (*dataset.Dataset, error) {
	random := rand.NewPCG(plantedSeed, uint64(n[1]))
	return flagTable(name, n[0], n[1], func(has []bool) bool {
		traits := random.Uint64() // a trait is rare: three bits are set
		traits &= traits >> 16 & (traits >> 32)
		for f := range has {
			// A flag goes with its trait, and is turned over in one of sixteen samples.
			has[f] = (traits>>(f%plantedTraits)&1 == 1) != (random.Uint64()&15 == 0)
		}
		class := has[0] || !has[1] && has[2] && !has[3]
		return class != (random.Uint64()%10 == 0)
	}), nil
}

// fourRules is the class that a list of four rules tells by four numbers.
func fourRules(x func(k int) float64) bool {
	switch {
	case x(0) > 1.8:
		return true
	case x(1) < 1.2:
		return false
	case x(2) > 1.7:
		return x(0) > 1.4
	}
	return x(3) > 1.4
}

const numbersSeed = 20261122

// numbers makes a table of numbers of which neighbours share a part, and a class that a list of four
// rules on some of them tells, but for one wrong label in seven. It is the same every time.
func numbers(_ context.Context, name string, n []int) (*dataset.Dataset, error) {
	rows, columns := n[0], n[1]
	random := rand.New(rand.NewPCG(numbersSeed, uint64(rows)<<32|uint64(columns)))
	var b bytes.Buffer
	for h := range columns {
		b.WriteString("x" + strconv.Itoa(h+1) + ",")
	}
	b.WriteString("class\n")
	x := make([]int, columns)
	for range rows {
		shared := random.IntN(1e7)
		for h := range x {
			next := random.IntN(1e7)
			x[h] = shared + next + random.IntN(1e7)
			shared = next
			b.WriteString(strconv.Itoa(x[h]) + ",")
		}
		class := fourRules(func(k int) float64 { return float64(x[k]) / 1e7 })
		if class != (random.IntN(7) == 0) {
			b.WriteString("yes\n")
		} else {
			b.WriteString("no\n")
		}
	}
	return dataset.ReadFrom(&b, name, dataset.Options{AllCuts: true})
}

// countMeasure is the instance that measures kernels: counting all columns of a node in sets of points of several sizes.
const countMeasure = "count"

// countWords are the sizes of real instances (2 haberman, 4 compas, 28 cars, 165 stop-and-frisk) and beyond the caches.
var countWords = []int{2, 4, 8, 28, 165, 1000, 10000}

const countColumns = 160
const shortRuns = 9
const shortRun = 20 * time.Millisecond

// countRates measures the kernel of this process.
func countRates(ctx context.Context) (Outcome, error) {
	out := Outcome{Status: Done}
	for _, words := range countWords {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		out.Rates = append(out.Rates, Rate{bitvec.Kernel(), words, countRate(words), throughput})
	}
	return out, nil
}

// countRate returns how many 10^9 bytes of block words a second the steps of a count read. Costs are as those of real instances,
// a heavy head and a long tail of 1. Sets are dense. Each count is in another set, so that branch predictors see what a search
// shows them. Other work on the machine only ever makes a kernel slower, so the fastest of several short runs counts.
func countRate(words int) (best float64) {
	random, words1, costs := rand.New(rand.NewPCG(1, uint64(words))), (words+1)/2, make([]int64, 64*words)
	for _, class := range [][]int64{costs[:64*words1], costs[64*words1:]} {
		for i := range class {
			class[i] = max(1, 100/(1+int64(i)*100/int64(max(len(class), 300))))
		}
	}
	planes, matrix := bitvec.NewPlanes(costs, words1), bitvec.NewMatrix(countColumns, words)
	for k := range countColumns {
		column := make([]uint64, words)
		for w := range column {
			column[w] = random.Uint64() & random.Uint64()
		}
		matrix.Set(k, column)
	}
	sets := make([][]uint64, 16)
	for i := range sets {
		for range words {
			sets[i] = append(sets[i], random.Uint64()|random.Uint64())
		}
	}
	var prog bitvec.Program
	g1, g0 := make([]int64, matrix.Blocks()*bitvec.Lanes), make([]int64, matrix.Blocks()*bitvec.Lanes)
	for range shortRuns {
		bytes, start := 0, time.Now()
		for time.Since(start) < shortRun {
			for _, set := range sets {
				planes.Compile(&prog, set)
				matrix.Count(&prog, 0, matrix.Blocks(), g1, g0)
				bytes += planes.PlaneWords() * 64 * matrix.Blocks()
			}
		}
		best = max(best, float64(bytes)/1e9/time.Since(start).Seconds())
	}
	return best
}

// throughput is the unit of rates.
const throughput = "GB/s"

// Execute runs a case in this process and returns what came of it. The folder
// is that of the papers' data. The error says what the case has wrong, or
// ErrAbsent. A cancelled ctx ends the search.
func Execute(ctx context.Context, c Case, folder string) (out Outcome, err error) {
	if err := bitvec.KernelError(); err != nil {
		return out, err
	}
	if c.Instance == countMeasure {
		return countRates(ctx)
	}
	o, err := c.options()
	if err != nil {
		return out, err
	}
	in, err := find(c.Instance)
	if err != nil {
		return out, err
	}
	if c.Model == Trees { // all features may be splits
		in.Mining = singles
	}
	start := time.Now()
	set, err := in.load(ctx, folder)
	if err != nil {
		return out, err
	}
	read := time.Since(start)
	if out, err = c.search(ctx, set, o); err != nil {
		return out, fmt.Errorf("%s: %w", c.Instance, err)
	}
	out.SecondsRead, out.SecondsTotal = read.Seconds(), time.Since(start).Seconds()
	return out, nil
}

// options returns the options of a fit, or an error that names what the case has wrong.
func (c *Case) options() (o family.Options, err error) {
	o = family.Options{
		Lambda: c.Lambda, Depth: c.Depth, Workers: c.Workers, Nodes: c.Nodes, Memory: c.Memory,
		Time: time.Duration(c.Limit * float64(time.Second)), Software: Own,
	}
	if o.Ablation.Policy, err = search.ParsePolicy(cmp.Or(c.Policy, search.LowerBound.String())); err != nil {
		return o, err
	}
	if o.Ablation.Symmetry, err = search.ParseSymmetry(cmp.Or(c.Symmetry, search.Captured.String())); err != nil {
		return o, err
	}
	if o.Ablation.Without, err = problem.ParsePrunings(c.Without); err != nil {
		return o, err
	}
	switch {
	case c.Model == Trees && o.Ablation != (family.Ablation{}):
		return o, fmt.Errorf("model %q has no policy, symmetry or prunings", c.Model)
	case c.Model == Trees:
		o.Family = model.Tree
	case c.Model != "":
		return o, fmt.Errorf("model %q: expected %q or nothing", c.Model, Trees)
	}
	return o, o.Validate(family.Reading{})
}

// search learns a model from all samples.
func (c *Case) search(ctx context.Context, set *rules.Set, o family.Options) (out Outcome, err error) {
	start := time.Now()
	p, err := family.ProblemOf(set, family.Reading{}, o)
	if err == nil && c.Separate {
		err = p.Separate()
	}
	if err != nil {
		return out, err
	}
	reduced := time.Since(start).Seconds()
	m, stats, err := c.sideBySide(ctx, p, o)
	if err != nil {
		return out, err
	}
	found := report.Summarize(m.Model)
	if err := fill(&out, found, stats); err != nil {
		return out, err
	}
	out.Wrong, out.SecondsReduce = found.Errors/found.Weight, reduced
	return out, nil
}

// fill copies what a record keeps of a model and its search: the figures of the same names, those of the workers and
// the memory of the process.
func fill(out *Outcome, found report.Summary, stats report.Stats) error {
	for _, part := range []any{found, stats} {
		text, err := json.Marshal(part)
		if err == nil {
			err = json.Unmarshal(text, out)
		}
		if err != nil {
			return err
		}
	}
	out.Searchers, out.PeakBytes = stats.Workers, peakmem.Peak() // before other methods run
	for _, w := range stats.PerWorker {
		out.SecondsParked += w.Parked
	}
	return nil
}

// sideBySide makes one fit, or copies of it at the same time: what the machine has for as
// many workers that never wait for each other. The model is that of the first one. Its time
// is one by which the rates of all add up, and its memory that of all.
func (c *Case) sideBySide(ctx context.Context, p *family.Problem, o family.Options) (*family.Model, report.Stats, error) {
	models := make([]*family.Model, max(1, c.Copies))
	var copies errgroup.Group
	for i := range models {
		copies.Go(func() (err error) {
			models[i], err = p.Fit(ctx, o)
			return err
		})
	}
	if err := copies.Wait(); err != nil {
		return nil, report.Stats{}, err
	}
	stats := models[0].Stats()
	rate := 1 / stats.SecondsSearch
	for _, m := range models[1:] {
		rate += 1 / m.Stats().SecondsSearch
		stats.SearchBytes += m.Stats().SearchBytes
	}
	stats.SecondsSearch = float64(len(models)) / rate
	return models[0], stats, nil
}
