package serve

import (
	"fmt"
	"net/url"

	"parcorels/answer"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/report/html"
)

// runView is a run as pages show it, at one moment. Its methods say what the templates show.
type runView struct {
	*site
	facts
	run     *run
	Family  *family.Family
	options family.Options
	m       *family.Model // nil until read, and where there is none yet
	Report  *html.Page    // of the model; nil without
}

// view returns what is known of a run, without its model.
func (s *site) view(r *run) *runView {
	v := &runView{site: s, facts: r.now(), run: r}
	v.Family, _, v.options, _ = s.resolved(&v.Asked) // what cannot be asked has ended, and says why
	return v
}

// views returns the runs that are wanted, the newest first.
func (s *site) views(wanted func(v *runView) bool) (list []*runView) {
	for _, r := range s.all() {
		if v := s.view(r); wanted(v) {
			list = append(list, v)
		}
	}
	return list
}

// read reads the model, if there is one.
func (v *runView) read() (err error) {
	if v.m = v.Model; v.m == nil && v.State == done && v.End.Choice == nil {
		v.m, err = v.run.result()
	}
	if v.m == nil {
		return err
	}
	p := html.New(v.m.Model)
	p.RowsAt, p.Compared = v.At()+"/rows?case=", v.free(&v.facts)
	if v.End != nil && v.End.Result != nil {
		p.Summary.Proved, p.Notes = v.End.Result.Proved, renamed(v.End.Result.Data.Notes)
	}
	if u := v.Unseen; u != nil && u.Kept != nil {
		p.KeptBack = u.Kept
	} else if u != nil {
		p.Lambda(u.Lambda, u.Length, u.Accuracy, u.Error, u.Unproven, true)
	}
	v.Report = p
	return nil
}

// above are the pages above one of a part of the run.
func (v *runView) above() []step {
	return []step{{"Tables and runs", "/"}, {v.Asked.Table, "/tables/" + url.PathEscape(v.Asked.Table)}, {"Run", v.At()}}
}

// Kind is what was asked: the model, or all of several.
func (v *runView) Kind() string {
	several := map[string]string{pathKind: "All sizes of ", alternativesKind: "All good "}[v.Asked.Get("kind")]
	if several == "" {
		return wording.Capital(string(v.Family.Kind))
	}
	return several + string(v.Family.Kind) + "s"
}

// Title is that of the page.
func (v *runView) Title() string {
	if v.m == nil {
		return v.Kind() + " on " + v.Asked.Table
	}
	return v.Kind() + " for " + v.m.About().Target
}

// Wish is what was wished; "" where nothing was.
func (v *runView) Wish() string {
	if v.Asked.Get("from") == "" {
		return ""
	}
	text, name := wishText(&v.Asked, &v.began(&v.facts).Asked), v.Asked.Get("called")
	if name != "" {
		text = name + " (" + text + ")"
	}
	return text
}

// Name tells the run from others on its table.
func (v *runView) Name() string {
	if wish := v.Wish(); wish != "" {
		return v.Kind() + ": " + wish
	}
	return v.Kind()
}

// Proved reports whether all is proved that was asked.
func (v *runView) Proved() bool {
	return v.End != nil && (v.End.Choice != nil || v.End.optimal() && !v.Asked.Opened)
}

// Verdict is the outcome in a line.
func (v *runView) Verdict() string {
	switch e := v.End; {
	case e == nil:
		return wording.Capital(string(v.State))
	case e.Error != "":
		return e.Error
	case e.Choice != nil:
		return wording.Count(int64(len(e.Choice.Models)), "model")
	default:
		p, part := &e.Result.Summary, "rule"
		if p.Model == "tree" {
			part = "leaf"
		}
		return fmt.Sprintf("%s right with %s", wording.Percentage(1-p.Errors/p.Weight), wording.Count(int64(p.Length), part))
	}
}

// Room is how many bytes the folder has.
func (v *runView) Room() int64 { return v.run.files.Bytes() }

// Warn is what went wrong.
func (v *runView) Warn() []string {
	if v.End != nil && v.Model == nil { // all is on the disk
		return v.End.Warnings
	}
	return v.Warnings
}

// Header names the columns of the table; none of one that cannot be read.
func (v *runView) Header() []string { return v.header(&v.Asked) }

// Luck is what shuffled answers say of the model; "" where nobody asked.
func (v *runView) Luck() string {
	if v.End == nil || v.End.Chance == nil {
		return ""
	}
	return wording.Capital(v.End.Chance.Text(v.Family.Noun())) + "."
}

// Said is what is proved.
func (v *runView) Said() string {
	switch {
	case v.Asked.Opened:
		return "This model came from a file. What it says of itself counts only once its proof is checked, below."
	case v.End == nil || v.End.Result == nil:
		return ""
	}
	text := answer.PlainVerdict(v.Family, v.End.Result)
	if least := v.Asked.Get("recall"); least != "" {
		text = "Lists that find fewer than " + least + " of 100 are left out. " + text
	}
	return text
}
