package answer

import (
	"fmt"
	"parcorels/family"
	"parcorels/internal/wording"
	"strings"
	"time"
)

// Fair is what was found, for programs.
type Fair struct {
	Group         string      `json:"group"`
	Proved        bool        `json:"proved"`
	Bound         float64     `json:"bound"`
	Objective     float64     `json:"objective"`
	Errors        int64       `json:"errors"`
	Rules         int         `json:"rules"`
	Limits        []FairLimit `json:"limits"`
	Text          string      `json:"text"`
	Unconstrained FairFree    `json:"unconstrained"`
	Seconds       float64     `json:"seconds_search"`
}

type FairLimit struct {
	Measure    family.Measure `json:"measure"`
	Most       float64        `json:"limit"`
	Difference float64        `json:"difference"`
}

type FairFree struct {
	Objective   float64   `json:"objective"`
	Errors      int64     `json:"errors"`
	Rules       int       `json:"rules"`
	Differences []float64 `json:"differences"`
	Text        string    `json:"text"`
}

func (x *Fair) Describe(took time.Duration, stopped, bestOfAll bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", strings.TrimRight(x.Text, "\n"))
	if x.Proved {
		fmt.Fprintf(&b, "\nproved: no rule list within the limit has an objective below %.7f (%s)\n", x.Objective, wording.Seconds(took))
	} else {
		why := "a limit on time or memory ended the search"
		if stopped {
			why = WasInterrupted
		}
		b.WriteString("\n" + Hanging(fmt.Sprintf("not proved: objective %.7f, no rule list within the limit has one below %.7f; %s",
			x.Objective, x.Bound, why), 4))
	}
	rows := [][]string{{"", "within the limit", "without"}}
	rows = append(rows, []string{"objective", fmt.Sprintf("%.7f", x.Objective), fmt.Sprintf("%.7f", x.Unconstrained.Objective)},
		[]string{"errors", wording.Thousands(x.Errors), wording.Thousands(x.Unconstrained.Errors)},
		[]string{"rules", fmt.Sprint(x.Rules), fmt.Sprint(x.Unconstrained.Rules)})
	for i, l := range x.Limits {
		rows = append(rows, []string{fmt.Sprintf("%s, %s less others", l.Measure, wording.Escape(x.Group)),
			fmt.Sprintf("%+.4f", l.Difference), fmt.Sprintf("%+.4f", x.Unconstrained.Differences[i])})
	}
	found := ""
	if !bestOfAll {
		found = "found "
	}
	fmt.Fprintf(&b, "\n%s\nthe best list %swithout the limit:\n\n%s\n", Columns(rows), found, strings.TrimRight(x.Unconstrained.Text, "\n"))
	return b.String()
}
