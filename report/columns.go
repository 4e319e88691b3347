package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/rules"
)

// Column is how a column of a table was read.
type Column struct {
	Name string `json:"name"`
	As   string `json:"as"` // what its cells are taken for: "number cut at 20, 30"
	// Missing are the samples without a value, where that is a category.
	Missing    int64    `json:"missing,omitempty"`
	Conditions []string `json:"conditions,omitempty"` // as rules have them
	Directed   bool     `json:"directed,omitempty"`   // some of them ask for large values, or for small ones
}

// Columns returns the columns that have features, in the order of the table. An .out file
// has no columns.
func Columns(d *dataset.Dataset) (list []Column) {
	features := map[string][]dataset.Feature{}
	for _, f := range d.Features {
		if f.Column == "" {
			return nil
		}
		if features[f.Column] == nil {
			list = append(list, Column{Name: f.Column})
		}
		features[f.Column] = append(features[f.Column], f)
	}
	for i := range list {
		c := &list[i]
		c.As, c.Missing = readAs(features[c.Name])
		for _, f := range features[c.Name] {
			c.Conditions = append(c.Conditions, f.Name)
			c.Directed = c.Directed || f.Test.Direction() != 0
		}
	}
	for i := range d.Numbers {
		list = append(list, uncut(&d.Numbers[i]))
	}
	if len(d.Numbers) > 0 {
		slices.SortStableFunc(list, func(a, b Column) int { return slices.Index(d.Columns, a.Name) - slices.Index(d.Columns, b.Name) })
	}
	return list
}

// uncut says what the cells of a column of numbers are that is not cut.
func uncut(n *dataset.Numbers) Column {
	c := Column{Name: n.Column, As: "number with " + wording.Count(int64(n.Thresholds()), "threshold")}
	if n.Missing {
		for _, r := range n.Ranks {
			if int(r) == len(n.Levels) {
				c.Missing++
			}
		}
		c.As = wording.Thousands(c.Missing) + " missing; " + c.As
	}
	return c
}

// readAs says what the cells of a column are taken for, and how many are missing.
func readAs(features []dataset.Feature) (text string, missing int64) {
	var parts, values []string
	var cuts []float64
	var scale dataset.Scale
	kind, groups := "", int64(0)
	for _, f := range features {
		if f.Test.Kind != dataset.Missing {
			scale = f.Test.Scale
		}
		switch t := f.Test; t.Kind {
		case dataset.Missing:
			missing = int64(f.Bits.Count())
			parts = append(parts, wording.Thousands(missing)+" missing")
		case dataset.True:
			parts = append(parts, "yes or no")
		case dataset.Is:
			values = append(values, t.Value)
		case dataset.Among:
			groups++
		case dataset.Number:
			i, _ := slices.BinarySearchFunc(values, t.Value, func(a, b string) int {
				x, _ := scale.Parse(a)
				y, _ := scale.Parse(b)
				return cmp.Compare(x, y)
			})
			values = slices.Insert(values, i, t.Value)
		case dataset.Interval:
			kind = " in intervals from "
			cuts = append(cuts, bounds(t.Low)...)
		case dataset.Threshold:
			kind = " cut at "
			cuts = append(cuts, bounds(t.Low, t.High)...)
		}
	}
	if len(cuts) > 0 {
		slices.Sort(cuts)
		var texts []string
		for _, c := range slices.Compact(cuts) {
			texts = append(texts, scale.Format(c))
		}
		what := "number"
		switch {
		case scale.Levels != nil:
			what = "ordered"
		case scale.Time != "":
			what = "date"
		}
		parts = append(parts, what+kind+strings.Join(texts, ", "))
	}
	if len(values) > 0 {
		count := wording.Count(int64(len(values)), "value")
		if groups > 0 {
			count += " and " + wording.Count(groups, "group")
		}
		parts = append(parts, count+": "+strings.Join(values, ", "))
	}
	if len(parts) == 1 && features[0].Test.Kind == dataset.Missing {
		parts = append(parts, "no other condition")
	}
	return strings.Join(parts, "; "), missing
}

// bounds returns the numbers that are there.
func bounds(list ...*float64) (there []float64) {
	for _, b := range list {
		if b != nil {
			there = append(there, *b)
		}
	}
	return there
}

// Telling returns the columns each of which alone leaves less than a tenth of the errors of
// always predicting the most frequent class. They often came with the label, or after it.
func Telling(d *dataset.Dataset) (names []string) {
	sets := rules.ClassSets(d)
	most, all := 0, d.N
	for _, set := range sets {
		most = max(most, int(set.Count()))
	}
	// The values of a group exclude one another: each may have a class of its own, and what
	// none of them holds is right by one more. A threshold has two sides.
	saved := map[string]int{}
	groups := map[int]*struct{ right, rest []int }{}
	for _, f := range d.Features {
		in, out := 0, 0
		counts := make([]int, len(sets))
		for i, set := range sets {
			counts[i] = int(set.IntersectionCardinality(f.Bits))
			in, out = max(in, counts[i]), max(out, int(set.Count())-counts[i])
		}
		saved[f.Column] = max(saved[f.Column], in+out)
		if f.Group < 0 {
			continue
		}
		g := groups[f.Group]
		if g == nil {
			g = &struct{ right, rest []int }{[]int{0}, make([]int, len(sets))}
			for i, set := range sets {
				g.rest[i] = int(set.Count())
			}
			groups[f.Group] = g
		}
		g.right[0] += in
		for i := range counts {
			g.rest[i] -= counts[i]
		}
		saved[f.Column] = max(saved[f.Column], g.right[0]+slices.Max(g.rest))
	}
	for _, name := range d.Columns {
		if right := saved[name]; right > 0 && 10*(all-right) < all-most {
			names = append(names, name)
		}
	}
	return names
}

// Class is a class with its samples.
type Class struct {
	Label   string
	Samples int64
}

// Classes returns the classes of a data set.
func Classes(d *dataset.Dataset) (list []Class) {
	for c, set := range rules.ClassSets(d) {
		list = append(list, Class{d.ClassName(c), d.RowsOf(set, set)})
	}
	return list
}

// Spread is how the values of the columns of a table are spread over the classes. Begin with
// NewSpread, then Add each row. Missing cells are counted in all rows, values in some that lie
// evenly.
type Spread struct {
	Rows    int64
	columns []spreadColumn
	names   []string
	missing dataset.Test
	classes []int // of the rows kept
	step    int64 // from one row that is kept to the next
}

// spreadColumn is a column with the values of some rows.
type spreadColumn struct {
	missing int64
	texts   []string
}

// Limits of what is kept: rows at least, if there are so many, columns, and letters of a text.
const spreadRows = 10_000
const SpreadColumns = 200
const spreadText = 64

// NewSpread returns a spread without rows. Texts of missing values are those of
// dataset.Options.
func NewSpread(header, missing []string) *Spread {
	return &Spread{columns: make([]spreadColumn, len(header)), names: slices.Clone(header),
		missing: dataset.Test{Kind: dataset.Missing, MissingWords: missing}, step: 1}
}

// Add takes a row. The class is −1 of a row without one, whose values do not count. It keeps
// every row at first, and every other of those kept whenever there are twice as many as needed.
func (s *Spread) Add(cells []string, class int) {
	keep := class >= 0 && s.Rows%s.step == 0
	s.Rows++
	for i, cell := range cells {
		c := &s.columns[i]
		cell = strings.TrimSpace(cell)
		if missing, _ := s.missing.Holds(cell); missing {
			c.missing++
			cell = ""
		}
		if keep && i < SpreadColumns {
			c.texts = append(c.texts, strings.Clone(cell[:min(len(cell), spreadText)]))
		}
	}
	if !keep {
		return
	}
	s.classes = append(s.classes, class)
	if len(s.classes) == 2*spreadRows {
		s.classes = everyOther(s.classes)
		for i := range min(len(s.columns), SpreadColumns) {
			s.columns[i].texts = everyOther(s.columns[i].texts)
		}
		s.step *= 2
	}
}

func everyOther[T any](values []T) []T {
	for i := range len(values) / 2 {
		values[i] = values[2*i]
	}
	return values[:len(values)/2]
}

// Missing returns the share of the rows that have no value in a column.
func (s *Spread) Missing(column string) float64 {
	i := slices.Index(s.names, column)
	if i < 0 || s.Rows == 0 {
		return 0
	}
	return float64(s.columns[i].missing) / float64(s.Rows)
}

// Bar is a value, or a range of numbers, with the rows of each class.
type Bar struct {
	Label     string
	Classes   []int
	Low, High float64 // of numbers; of others they are not said
}

// Rows is the number of rows of all classes.
func (b Bar) Rows() (n int) {
	for _, k := range b.Classes {
		n += k
	}
	return n
}

// mostBars is how many bars a column has at most.
const mostBars = 16

// Bars returns the bars of a column: ranges of numbers, or the most frequent values.
func (s *Spread) Bars(column string, classes int) (list []Bar) {
	at := slices.Index(s.names, column)
	if at < 0 {
		return nil
	}
	values := map[string][]int{}
	var numbers []float64
	filled := 0
	for i, text := range s.columns[at].texts {
		if text == "" {
			continue
		}
		filled++
		if values[text] == nil {
			values[text] = make([]int, classes)
		}
		values[text][s.classes[i]]++
		if v, ok := dataset.ParseNumber(text); ok && !math.IsInf(v, 0) {
			numbers = append(numbers, v)
		}
	}
	for text, counts := range values {
		v, _ := dataset.ParseNumber(text)
		list = append(list, Bar{text, counts, v, v})
	}
	switch {
	case len(numbers) < filled:
		slices.SortFunc(list, func(a, b Bar) int { return cmp.Or(b.Rows()-a.Rows(), strings.Compare(a.Label, b.Label)) })
		return list[:min(len(list), mostBars)]
	case len(values) > mostBars:
		return ranges(values, numbers, classes)
	}
	slices.SortFunc(list, func(a, b Bar) int { return cmp.Compare(a.Low, b.Low) })
	return list
}

// ranges shares numbers out among bars of equal width, between the first and the last
// hundredth: a few far away would leave one bar for all others.
func ranges(values map[string][]int, numbers []float64, classes int) []Bar {
	slices.Sort(numbers)
	cut := len(numbers) / 100
	low, high := numbers[cut], numbers[len(numbers)-1-cut]
	if low == high {
		low, high = numbers[0], numbers[len(numbers)-1]
	}
	list := make([]Bar, mostBars)
	width := (high - low) / mostBars
	for i := range list {
		from, to := low+float64(i)*width, low+float64(i+1)*width
		list[i] = Bar{wording.Brief(from) + " to " + wording.Brief(to), make([]int, classes), from, to}
	}
	for text, counts := range values {
		v, _ := dataset.ParseNumber(text)
		bar := list[min(max(int((v-low)/width), 0), mostBars-1)]
		for c, n := range counts {
			bar.Classes[c] += n
		}
	}
	return list
}
