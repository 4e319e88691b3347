package answer

import (
	"fmt"
	"math"
	"parcorels/family"
	"parcorels/internal/wording"
	"strings"
	"time"
)

// Fair is what was found, for programs.
type Fair struct {
	Group         string      `json:"group,omitempty"` // "" of an operating point
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
	Measure family.Measure `json:"measure"`
	Most    float64        `json:"limit"`
	Rate    float64        `json:"rate"` // of groups, the rate of the group less that of the others
}

type FairFree struct {
	Objective float64   `json:"objective"`
	Errors    int64     `json:"errors"`
	Rules     int       `json:"rules"`
	Rates     []float64 `json:"rates"`
	Text      string    `json:"text"`
}

// share writes a rate; "none" where nothing is predicted to be of class 1.
func share(rate float64) string {
	if math.IsNaN(rate) {
		return "none"
	}
	return wording.Percentage(rate)
}

// Describe says what was found, for people.
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
		if l.Measure.OfGroups() {
			rows = append(rows, []string{fmt.Sprintf("%s, %s less others", l.Measure, wording.Escape(x.Group)),
				fmt.Sprintf("%+.4f", l.Rate), fmt.Sprintf("%+.4f", x.Unconstrained.Rates[i])})
			continue
		}
		least := "at least"
		if l.Measure == family.Selected {
			least = "at most"
		}
		rows = append(rows, []string{fmt.Sprintf("%s, %s %s", l.Measure, least, wording.Percentage(l.Most)), share(l.Rate),
			share(x.Unconstrained.Rates[i])})
	}
	found := ""
	if !bestOfAll {
		found = "found "
	}
	fmt.Fprintf(&b, "\n%s\nthe best list %swithout the limit:\n\n%s\n", Columns(rows), found, strings.TrimRight(x.Unconstrained.Text, "\n"))
	return b.String()
}
