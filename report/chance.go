package report

import (
	"fmt"

	"parcorels/internal/wording"
)

// Chance says how many shuffles of the labels allow as good a model.
type Chance struct {
	Shuffles int     `json:"shuffles"`
	AsGood   int     `json:"as_good"`
	Unproved int     `json:"unproved"` // searches that a limit ended
	P        float64 `json:"p"`        // (as_good + unproved + 1) / (shuffles + 1)
}

// level is the P up to which a model is said to be better than chance.
const level = .05

// Verdict says in a few words what the shuffles say of a model.
func (c *Chance) Verdict() string {
	switch {
	case c.P <= level:
		return "better than chance"
	case float64(c.AsGood+1) > level*float64(c.Shuffles+1):
		return "no better than chance"
	}
	return "not known to be better than chance"
}

// Text is the verdict with the counts it is based on; noun is the kind of model.
func (c *Chance) Text(noun string) string {
	text := fmt.Sprintf("%s: %s of %s of the labels allow as good a %s", c.Verdict(), wording.Thousands(int64(c.AsGood)),
		wording.Count(int64(c.Shuffles), "shuffle"), noun)
	if c.Unproved > 0 {
		text += fmt.Sprintf(", and of %s it is not known", wording.Thousands(int64(c.Unproved)))
	}
	return text
}
