package answer

import (
	"bytes"
	"fmt"
	"math/big"
	"strings"
	"time"

	"parcorels/ask/crossval"
	askpath "parcorels/ask/path"
	"parcorels/family"
	"parcorels/model"
	"parcorels/ratio"
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
	models, text := []model.Model{}, render("path", r)
	for i, v := range r.Answer.Vertices {
		if i == r.Picked || r.Picked < 0 && !r.Quiet {
			models = append(models, v.Model)
		}
	}
	return text + AskForeknown(models...)
}

// Short reports whether the path ends above the smallest λ.
func (r *Path) Short() bool { return r.Answer.Down.Cmp(r.Least.Rat()) > 0 }

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
	if whole.Cmp(r.Least.Rat()) <= 0 {
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
			_, wrong := model.Totals(v.Model.Cases())
			x.Missed, x.Alarms = &wrong.Samples[1], &wrong.Samples[0]
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
