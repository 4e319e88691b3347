package model

import (
	"strings"
	"testing"
)

func TestPercentClaimsNothing(t *testing.T) {
	for _, c := range []struct {
		part, whole int64
		want        string
	}{
		{0, 7, "0.0%"}, {7, 7, "100.0%"}, {1, 1 << 61, "0.1%"}, {1<<61 - 1, 1 << 61, "99.9%"},
		{1, 3, "33.3%"}, {2, 3, "66.7%"}, {0, 0, ""},
	} {
		if got := Percent(c.part, c.whole); got != c.want {
			t.Errorf("Percent(%d, %d) = %q, want %q", c.part, c.whole, got, c.want)
		}
	}
}

func TestEvaluationGolden(t *testing.T) {
	e := Evaluation{Classes: []string{"no", "y\tes"}, Predicted: []int{0, 1}, Counts: [][]int64{{2437, 1197}, {989, 1866}}}
	const want = `accuracy 66.3% (4,303 of 6,489 rows right), TPR 60.9%, FPR 28.9%
                 predicted no   predicted "y\tes"
actual no               2,437                 989
actual "y\tes"          1,197               1,866
`
	if got := e.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	e.Counts = [][]int64{{3, 0}, {0, 0}}
	if got, _, _ := strings.Cut(e.String(), "\n"); got != "accuracy 100.0% (3 of 3 rows right), TPR undefined, FPR 0.0%" {
		t.Errorf("without class 1: %s", got)
	}
}
