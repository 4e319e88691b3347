package answer

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"parcorels/ask/crossval"
	askpath "parcorels/ask/path"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/ratio"
	"slices"
	"strings"
	"time"
)

// Path is a path with what cross-validation says of it.
type Path struct {
	*askpath.Answer
	Problem   *family.Problem
	Options   family.Options
	Least     ratio.Ratio // the smallest λ
	Usual     bool        // which nobody gave
	Took      time.Duration
	Summaries []crossval.Summary // by vertex; nil without cross-validation
	Picked    int                // index of a vertex; -1 if none is
	Stopped   bool               // by Ctrl-C
	Quiet     bool               // no models
	Weights   []ratio.Ratio      // of each vertex of a front: what a miss weighs beside a false alarm; nil of one path
}

// Text is the table, what is proved, and the models.
func (r *Path) Text() string {
	rows := [][]string{{wording.Plural(2, r.Part()), "errors", "right", "optimal for λ from", "to"}}
	d := r.Problem.Set.Data
	two, costs := d.ClassCount() == 2, d.Costs != nil
	switch {
	case costs:
		rows[0][2] = "cost"
	case d.Weighted():
		rows[0][2] = "right by weight"
	}
	if d.Gains != nil {
		rows[0] = slices.Insert(rows[0], 2, "asked")
	}
	if two {
		rows[0] = slices.Replace(rows[0], 1, 2, "missed", "false alarms")
	}
	if r.Weights != nil {
		rows[0][3] = "a miss weighs"
	}
	if r.Summaries != nil {
		rows[0] = append(rows[0], map[bool]string{false: "right on other rows", true: "cost a row above the best, on other rows"}[costs])
	}
	for i, v := range r.Answer.Vertices {
		mark := ""
		if i == r.Picked {
			mark = "*"
		}
		row := []string{fmt.Sprint(mark, v.Size), wording.Thousands(model.Errors(v.Model.Cases())), wording.Percentage(Right(v.Model)),
			Lambda(v.From), "1"}
		if v.To != nil {
			row[4] = Lambda(v.To)
		}
		if costs {
			row[2] = model.Cost(v.Model)
		}
		if d.Gains != nil {
			asked, errors := model.Asked(v.Model)
			row[1] = wording.Thousands(errors)
			row = slices.Insert(row, 2, wording.Thousands(asked))
		}
		if two {
			missed, alarms := Wrong(v.Model)
			row = slices.Replace(row, 1, 2, wording.Thousands(missed), wording.Thousands(alarms))
		}
		if r.Weights != nil {
			row[3] = r.Weights[i].String()
		}
		if r.Summaries != nil {
			s := r.Summaries[i]
			a, text := s.Measured.Accuracy, wording.Percentage
			if s.Cost != nil {
				a, text = s.Cost.Model, func(x float64) string { return fmt.Sprintf("%.4g", math.Round(1e9*x)/1e9) }
			}
			row = append(row, fmt.Sprintf("%s ± %s", text(float64(a.Mean)), text(a.Error)))
		}
		rows = append(rows, row)
	}
	text := wording.Table(rows) + "\n" + r.proved()
	if r.Picked >= 0 {
		v := r.Answer.Vertices[r.Picked]
		text += fmt.Sprintf("\n* picked:\n\n%s\n", strings.TrimRight(v.Model.Text(Width), "\n"))
		return text + AskForeknown(v.Model)
	}
	if r.Quiet {
		return text
	}
	var models []model.Model
	for _, v := range r.Answer.Vertices {
		models = append(models, v.Model)
		text += fmt.Sprintf("\n%s, λ ≥ %s:\n\n%s\n", wording.Count(int64(v.Size), r.Part()), Lambda(v.From),
			strings.TrimRight(v.Model.Text(Width), "\n"))
	}
	return text + AskForeknown(models...)
}

// Wrong returns how many samples of class 1 a model of two classes misses, and how many of class 0 it takes for class 1.
func Wrong(m model.Model) (missed, alarms int64) {
	for _, c := range m.Cases() {
		if c.Class == 1 {
			alarms += c.Samples[0]
		} else {
			missed += c.Samples[1]
		}
	}
	return missed, alarms
}

// Part is what the models are made of: rules, or leaves.
func (r *Path) Part() string {
	if r.Problem.Kind() == model.Tree {
		return "leaf"
	}
	return "rule"
}

// proved says down to which λ the path is certified, and of which models fit can write a proof.
func (r *Path) proved() string { return render("path", r) }

// Short reports whether the path ends above the smallest λ.
func (r *Path) Short() bool { return r.Answer.Down.Cmp(big.NewRat(r.Least.Num, r.Least.Den)) > 0 }

// Smaller is where a path goes on that found a single model.
func (r *Path) Smaller() ratio.Ratio { return ratio.New(r.Least.Num, 5*r.Least.Den) }

// Below is the λ that fit takes of the table by itself, if that is below a smallest λ that nobody gave; nil otherwise.
func (r *Path) Below() *ratio.Ratio {
	usual, err := r.Problem.Price(r.Options)
	if err != nil || !r.Usual || usual.Float() >= r.Least.Float() {
		return nil
	}
	return &usual
}

// Unfinished is the λ below which searches of a front ended without a proof; nil where none did.
func (r *Path) Unfinished() *big.Rat {
	whole := r.Answer.Down
	for _, o := range r.Answer.Open {
		if o.High.Cmp(whole) > 0 {
			whole = o.High
		}
	}
	if whole.Cmp(big.NewRat(r.Least.Num, r.Least.Den)) <= 0 {
		return nil
	}
	return whole
}

// Unprovable are the sizes of models whose λ has too many digits for a proof.
func (r *Path) Unprovable() string {
	var sizes []string
	for _, v := range r.Answer.Vertices {
		if _, err := ratio.Parse(v.From.RatString()); err != nil {
			sizes = append(sizes, fmt.Sprint(v.Size))
		}
	}
	return strings.Join(sizes, ", ")
}

// PathJSON is the path for programs. Fractions are texts.
type PathJSON struct {
	Model    model.Family `json:"model"`
	Down     string       `json:"certified_down_to"`
	Open     [][2]string  `json:"open"`
	Searches int          `json:"searches"`
	Seconds  float64      `json:"seconds_search"`
	Picked   *int         `json:"picked,omitempty"`
	Vertices []PathVertex `json:"vertices"`
}

type PathVertex struct {
	Size int `json:"size"`
	errorsJSON
	Asked    int64     `json:"asked,omitempty"`        // rows that are left to a person, none of them an error
	Cost     string    `json:"cost,omitempty"`         // of all decisions, a decimal, where these have costs
	Right    float64   `json:"right"`                  // share of the training weight
	Missed   *int64    `json:"missed,omitempty"`       // of class 1, where there are two
	Alarms   *int64    `json:"false_alarms,omitempty"` // of class 0
	Weight   string    `json:"miss_weight,omitempty"`  // what a miss weighs beside a false alarm, on a front
	From     string    `json:"from"`
	To       string    `json:"to"`
	Accuracy *float64  `json:"cv_accuracy,omitempty"`
	Error    *float64  `json:"cv_standard_error,omitempty"`
	Text     string    `json:"text"`
	File     modelFile `json:"model_file"`
}

// modelFile is a model that is written into a larger object as its file.
type modelFile struct{ model.Model }

// MarshalJSON returns what fit writes with -o.
func (f modelFile) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	err := f.Encode(&b)
	return b.Bytes(), err
}

// Object returns the path for programs.
func (r *Path) Object() PathJSON {
	o := PathJSON{Model: r.Problem.Kind(), Down: r.Answer.Down.RatString(), Searches: r.Answer.Solves, Seconds: r.Took.Seconds(),
		Open: [][2]string{}, Vertices: []PathVertex{}}
	for _, i := range r.Answer.Open {
		o.Open = append(o.Open, [2]string{i.Low.RatString(), i.High.RatString()})
	}
	if r.Picked >= 0 {
		o.Picked = &r.Picked
	}
	for i, v := range r.Answer.Vertices {
		x := PathVertex{Size: v.Size, errorsJSON: wrongRows(v.Model), Right: Right(v.Model), From: v.From.RatString(), To: "1",
			Text: v.Model.Text(Width), File: modelFile{v.Model}, Cost: model.Cost(v.Model)}
		x.Asked, x.Errors = model.Asked(v.Model)
		if r.Problem.Set.Data.ClassCount() == 2 {
			missed, alarms := Wrong(v.Model)
			x.Missed, x.Alarms = &missed, &alarms
		}
		if v.To != nil {
			x.To = v.To.RatString()
		}
		if r.Weights != nil {
			x.Weight = r.Weights[i].String()
		}
		if r.Summaries != nil {
			mean, deviation := float64(r.Summaries[i].Measured.Accuracy.Mean), r.Summaries[i].Measured.Accuracy.Error
			x.Accuracy, x.Error = &mean, &deviation
		}
		o.Vertices = append(o.Vertices, x)
	}
	return o
}
