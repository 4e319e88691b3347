package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/wording"
)

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
const (
	spreadRows    = 10_000
	SpreadColumns = 200
	spreadText    = 64
)

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
