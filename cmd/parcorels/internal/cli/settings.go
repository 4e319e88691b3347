package cli

import (
	"slices"
	"time"

	"parcorels/family"
	"parcorels/internal/option"
)

// learning is what commands that learn from a table are told of it: the table of options of
// the library, bound to what it fills.
type learning struct {
	reading family.Reading
	options family.Options
	table   []*option.Option
}

// ablation is zero but in tests, where it makes searches last.
var ablation family.Ablation

func newLearning() *learning {
	l := &learning{}
	l.options.Ablation = ablation
	l.table = family.OptionTable(&l.reading, &l.options)
	l.limitTime()
	return l
}

// defaultTime is the limit of a search that nobody limits.
const defaultTime = time.Minute

// limitTime gives the option for the time of a search a default, and "none" for no limit.
func (l *learning) limitTime() {
	l.options.Time = defaultTime
	row := option.Find(l.table, "time")
	row.Unset = "60s"
	row.Value = orNone(row.Value, func() { l.options.Time = 0 })
}

// orNone is a value that may be "none" as well.
func orNone(v option.Value, none func()) option.Value {
	given := &option.Option{Value: v}
	return option.Custom(v.Type, v.Expect+", or none", func(text string) error {
		if text == "none" {
			none()
			return nil
		}
		return given.Set(text)
	}, given.Texts)
}

// family is the one that is learned.
func (l *learning) family() *family.Family {
	if f := family.Of(l.options.Family); f != nil {
		return f
	}
	return family.Families()[0]
}

// group returns the options of the library under a heading, but for those left out.
func (l *learning) group(title string, without ...string) group {
	g := group{title: title}
	for _, o := range l.table {
		if o.Group == title && !slices.Contains(without, o.Name) {
			g.options = append(g.options, o)
		}
	}
	return g
}

// output is where a result goes, and what is told meanwhile.
type output struct {
	modelFile string // -o
	json      string // --json
	progress  string // auto, always, full or never
	quiet     bool
}

// keeping is how a search outlives its process.
type keeping struct {
	checkpoint string        // --checkpoint
	every      time.Duration // --every
	resume     string        // --resume
	proof      string        // --proof
}

// outputOption is -o with a text.
func outputOption(to *string, help string) *option.Option {
	return &option.Option{Name: "output", Short: "o", Holder: "FILE", Help: help, Value: option.Text(to, "a file name")}
}

// toStdout is -o of what goes to stdout otherwise.
func toStdout(to *string, help string) *option.Option {
	o := outputOption(to, help)
	o.Unset = "stdout"
	return o
}

func jsonOption(to *string, help string) *option.Option {
	return &option.Option{Name: "json", Holder: "FILE", Help: help + "; - for stdout and nothing else there",
		Value: option.Text(to, "a file name")}
}

func progressOption(to *string, help string) *option.Option {
	o := &option.Option{Name: "progress", Holder: "WHEN", Default: "auto", Help: help,
		Value: option.Choice(to, "auto", "always", "full", "never")}
	o.Expect = "auto (on a terminal), always, full (with each better model) or never"
	return o
}

func quietOption(to *bool, help string) *option.Option {
	return &option.Option{Name: "quiet", Help: help, Value: option.Switch(to)}
}

// keepingGroup is how a long search outlives its process.
func keepingGroup(k *keeping) group {
	return group{"Keeping a long search", []*option.Option{
		{Name: "checkpoint", Field: "Checkpoint", Holder: "FILE",
			Help:  "save the search to this file at intervals and when it is stopped; the file is removed when the list is proved",
			Value: option.LastingFile(&k.checkpoint)},
		{Name: "every", Holder: "DURATION", Default: "5m", Help: "time from one checkpoint to the next", Value: option.Duration(&k.every)},
		{Name: "resume", Holder: "FILE", Help: "resume from a checkpoint, and save to it unless --checkpoint names another file; " +
			"workers, memory and limits may differ", Value: option.LastingFile(&k.resume)},
	}}
}

// fitOutputGroup is where the result of fit goes.
func fitOutputGroup(out *output, k *keeping) group {
	return group{"Output", []*option.Option{
		outputOption(&out.modelFile, "write the model, for predict and show; - for stdout and nothing else there"),
		{Name: "proof", Field: "Proof", Holder: "FILE", Help: "write a proof that no model is better, for verify; a resumed search " +
			"continues the proof", Value: option.File(&k.proof)},
		jsonOption(&out.json, "write the result as a JSON object"),
		progressOption(&out.progress, "a line a second about the search, on stderr"),
		quietOption(&out.quiet, "print only the model and how good it is"),
	}}
}
