package cli

import (
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/internal/option"
	runs "parcorels/run"
)

// outputOption is -o.
func outputOption(to *string) *option.Option {
	return &option.Option{Name: "output", Short: "o", Value: option.Text(to, "a file name")}
}

// toStdout is -o of what goes to stdout otherwise.
func toStdout(to *string) *option.Option {
	o := outputOption(to)
	o.Unset = "stdout"
	return o
}

func jsonOption(to *string) *option.Option {
	return &option.Option{Name: "json", Value: option.Text(to, "a file name")}
}

func progressOption(to *string) *option.Option {
	o := &option.Option{Name: "progress", Default: "auto", Value: option.Choice(to, "auto", "always", "full", "never")}
	o.Expect = "auto (on a terminal), always, full (with each better model) or never"
	return o
}

func quietOption(to *bool) *option.Option {
	return &option.Option{Name: "quiet", Value: option.Switch(to)}
}

// keepingGroup is how a long search outlives its process.
func keepingGroup(k *runs.Keeping) process.Group {
	return process.Group{Title: "Keeping a long search", Options: []*option.Option{
		{Name: "checkpoint", Field: "Checkpoint", Value: option.LastingFile(&k.Checkpoint)},
		{Name: "every", Default: "5m", Value: option.Duration(&k.Every)},
		{Name: "resume", Value: option.LastingFile(&k.Resume)},
	}}
}

// fitOutputGroup is where the result of fit goes.
func fitOutputGroup(out *process.Output, k *runs.Keeping) process.Group {
	return process.Group{Title: "Output", Options: []*option.Option{
		outputOption(&out.ModelFile),
		{Name: "proof", Field: "Proof", Value: option.File(&k.Proof)},
		jsonOption(&out.JSON),
		progressOption(&out.Progress),
		quietOption(&out.Quiet),
	}}
}
