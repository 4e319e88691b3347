package predict

import (
	"math"
	"strings"
	"testing"

	"parcorels/model/evaluate"
)

// Groups are in the order of their numbers, texts behind them.
func TestGroupOrder(t *testing.T) {
	groups := map[string]*evaluate.Evaluation{}
	for _, v := range []string{"10", "b", "9", "-1.5", "a", "", "09"} {
		groups[v] = nil
	}
	var order []string
	for _, group := range listed(groups) {
		order = append(order, group.Value)
	}
	if got := strings.Join(order, ","); got != "-1.5,09,9,10,,a,b" {
		t.Error(got)
	}
}

// TestOneNumber: what is a number to a test is one to the order of groups, and nothing else is.
func TestOneNumber(t *testing.T) {
	for text, want := range map[string]bool{"8": true, "-1.5e3": true, "0x1p3": false, "0x10": false, "1_000": false, "1e999": false,
		"eight": false} {
		if got := !math.IsInf(number(text), 1); got != want {
			t.Errorf("%s is a number among groups: %t", text, got)
		}
	}
}
