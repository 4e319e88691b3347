package serve

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strings"

	"parcorels"
	"parcorels/dataset"
)

// A survey is what the page draws of a table: for each column how its values are spread over
// the classes. Missing cells are counted in all rows, values in some that lie evenly.

// drawnRows is how many rows are drawn at least, if there are so many.
const drawnRows = 10_000

// Limits of what is drawn: columns of a table, and letters of a text.
const (
	drawnColumns = 200
	drawnText    = 64
)

// survey is a look at all columns of a table.
type survey struct {
	Rows    int64
	Columns map[string]*surveyed
}

// surveyed is a column with the values of some rows.
type surveyed struct {
	Missing int64
	texts   []string
	classes []int
}

// looked returns the survey of a table that was read.
func (t *tables) looked(name string, h *held) *survey {
	h.survey.Do(func() {
		h.seen = &survey{Columns: map[string]*surveyed{}}
		rows, err := t.rows(name, h.read)
		if err != nil {
			return // the table is shown without pictures
		}
		defer rows.Close()
		h.seen.take(rows.Rows, h.data, missingWords(h.read.Missing))
	})
	return h.seen
}

// take goes over the rows. It keeps every row at first, and every other of those kept whenever
// there are twice as many as are drawn.
func (s *survey) take(rows *dataset.Rows, d *parcorels.Data, missing map[string]bool) {
	columns := make([]*surveyed, len(rows.Header()))
	for i, name := range rows.Header() {
		columns[i] = &surveyed{}
		s.Columns[name] = columns[i]
	}
	classOf := map[int]int{}
	if d.Dropped > 0 {
		for sample, row := range d.FileRows() {
			classOf[row] = sample
		}
	}
	step, kept := int64(1), 0
	for {
		cells, err := rows.Next()
		if err != nil {
			if err != io.EOF {
				s.Columns = nil
			}
			return
		}
		s.Rows++
		sample, ok := int(s.Rows-1), true
		if d.Dropped > 0 {
			sample, ok = classOf[int(s.Rows)]
		}
		ok = ok && sample < d.N && (s.Rows-1)%step == 0
		for i, cell := range cells {
			cell = strings.TrimSpace(cell)
			if missing[strings.ToLower(cell)] {
				columns[i].Missing++
				cell = ""
			}
			if ok && i < drawnColumns {
				columns[i].texts = append(columns[i].texts, strings.Clone(cell[:min(len(cell), drawnText)]))
				columns[i].classes = append(columns[i].classes, d.Class(sample))
			}
		}
		if ok {
			kept++
		}
		if kept == 2*drawnRows {
			for _, c := range columns {
				half := len(c.texts) / 2
				for i := range half {
					c.texts[i], c.classes[i] = c.texts[2*i], c.classes[2*i]
				}
				c.texts, c.classes = c.texts[:half], c.classes[:half]
			}
			step, kept = 2*step, drawnRows
		}
	}
}

// missingWords are the texts of missing values in small letters.
func missingWords(given []string) map[string]bool {
	words := map[string]bool{"": true}
	for _, w := range dataset.MissingWords(given) {
		words[strings.ToLower(w)] = true
	}
	return words
}

// bar is a bar of a picture: how many of the rows drawn are in each class.
type bar struct {
	Label   string
	Classes []int
}

// mostBars is how many bars a picture has room for.
const mostBars = 16

// bars returns the bars of a column: a histogram of numbers, or the most frequent values.
func (c *surveyed) bars(classes int) []bar {
	if c == nil {
		return nil
	}
	values := map[string][]int{}
	var numbers []float64
	filled := 0
	for i, text := range c.texts {
		if text == "" {
			continue
		}
		filled++
		if values[text] == nil {
			values[text] = make([]int, classes)
		}
		values[text][c.classes[i]]++
		if v, ok := dataset.ParseNumber(text); ok && !math.IsInf(v, 0) {
			numbers = append(numbers, v)
		}
	}
	if len(numbers) == filled && len(values) > mostBars {
		return c.histogram(numbers, classes)
	}
	var list []bar
	for text, counts := range values {
		list = append(list, bar{text, counts})
	}
	if len(numbers) == filled {
		slices.SortFunc(list, func(a, b bar) int {
			x, _ := dataset.ParseNumber(a.Label)
			y, _ := dataset.ParseNumber(b.Label)
			return cmp.Compare(x, y)
		})
		return list
	}
	slices.SortFunc(list, func(a, b bar) int {
		return cmp.Or(total(b.Classes)-total(a.Classes), strings.Compare(a.Label, b.Label))
	})
	return list[:min(len(list), mostBars)]
}

// histogram shares numbers out among bars of equal width, between the first and the last
// hundredth: a few far away would leave one bar for all others.
func (c *surveyed) histogram(numbers []float64, classes int) []bar {
	slices.Sort(numbers)
	cut := len(numbers) / 100
	low, high := numbers[cut], numbers[len(numbers)-1-cut]
	if low == high {
		low, high = numbers[0], numbers[len(numbers)-1]
	}
	list := make([]bar, mostBars)
	width := (high - low) / mostBars
	for i := range list {
		list[i] = bar{brief(low+float64(i)*width) + " to " + brief(low+float64(i+1)*width), make([]int, classes)}
	}
	for i, text := range c.texts {
		if v, ok := dataset.ParseNumber(text); ok && width > 0 {
			at := min(max(int((v-low)/width), 0), mostBars-1)
			list[at].Classes[c.classes[i]]++
		}
	}
	return list
}

func total(counts []int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}
