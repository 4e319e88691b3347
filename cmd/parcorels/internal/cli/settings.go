package cli

import (
	"parcorels/cmd/parcorels/internal/fit"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/internal/option"
)

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
func keepingGroup(k *fit.Keeping) process.Group {
	return process.Group{Title: "Keeping a long search", Options: []*option.Option{
		{Name: "checkpoint", Field: "Checkpoint", Holder: "FILE",
			Help:  "save the search to this file at intervals and when it is stopped; the file is removed when the list is proved",
			Value: option.LastingFile(&k.Checkpoint)},
		{Name: "every", Holder: "DURATION", Default: "5m", Help: "time from one checkpoint to the next", Value: option.Duration(&k.Every)},
		{Name: "resume", Holder: "FILE", Help: "resume from a checkpoint, and save to it unless --checkpoint names another file; " +
			"workers, memory and limits may differ", Value: option.LastingFile(&k.Resume)},
	}}
}

// fitOutputGroup is where the result of fit goes.
func fitOutputGroup(out *process.Output, k *fit.Keeping) process.Group {
	return process.Group{Title: "Output", Options: []*option.Option{
		outputOption(&out.ModelFile, "write the model, for predict and show; - for stdout and nothing else there"),
		{Name: "proof", Field: "Proof", Holder: "FILE", Help: "write a proof that no model is better, for verify; a resumed search " +
			"continues the proof", Value: option.File(&k.Proof)},
		jsonOption(&out.JSON, "write the result as a JSON object"),
		progressOption(&out.Progress, "a line a second about the search, on stderr"),
		quietOption(&out.Quiet, "print only the model and how good it is"),
	}}
}
