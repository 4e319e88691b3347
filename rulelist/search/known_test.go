package search

import (
	"math/big"
	"path/filepath"
	"strings"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rules"
)

// known is an optimum from the literature, or one certified by an earlier
// solver that shares no code with this one.
type known struct {
	file      string
	lambda    string
	objective string // rounded
	length    int
	long      bool // takes more than a few seconds: only with -soak
}

// The instances of the CORELS papers: antecedents as their authors mined them.
var published = []known{
	{"corels/compas_train.out.gz", ".015", ".3779734936", 2, false},
	{"corels/compas_train.out.gz", ".01", ".3679734936", 2, false},
	{"corels/compas_train.out.gz", ".005", ".3480936970", 4, false},
	{"corels/votes.out.gz", ".01", ".0536782", 1, false},
	{"corels/monks1.out.gz", ".01", ".04", 4, false},
	{"corels/monks3.out.gz", ".01", ".02", 2, false},
	{"corels/haberman.out.gz", ".03", ".26471", 0, false},
	{"corels/haberman.out.gz", ".02", ".2585621", 1, false},
	{"corels/haberman.out.gz", ".01", ".2424183", 3, false},
	{"corels/bcancer.out.gz", ".02", ".0683163", 1, false},
	{"corels/bcancer.out.gz", ".01", ".0551391", 2, false},
	{"corels/cars.out.gz", ".03", ".1630093", 2, false},
	{"corels/cars.out.gz", ".02", ".1352315", 3, true},
	{"corels/cars.out.gz", ".01", ".0916667", 5, true},
	{"corels/monks2.out.gz", ".03", ".32870", 0, true},
}

// Tables of 0/1 features, with single features and conjunctions of two.
var mined = []known{
	{"binary/compas-binary.csv.gz", ".01", ".3586419574", 2, false},
	{"binary/compas-binary.csv.gz", ".005", ".3464029246", 3, false},
	{"binary/monk1-train.csv.gz", ".02", ".1400000000", 7, false},
	{"binary/monk3-train.csv.gz", ".02", ".1855737705", 6, false},
	{"binary/tic-tac-toe.csv.gz", ".05", ".3465553236", 0, false},
	{"binary/fico_binary.csv.gz", ".01", ".3060694", 2, false},
	{"binary/monk2-train.csv.gz", ".02", ".2997633", 7, true},
}

// The same tables with single features and their negations.
var negated = []known{
	{"binary/monk1-train.csv.gz", ".01", ".1548387097", 5, false},
	{"binary/tic-tac-toe.csv.gz", ".01", ".2729436326", 6, false},
	{"binary/car-evaluation.csv.gz", ".005", ".1013425926", 8, false},
	{"binary/compas-binary.csv.gz", ".005", ".3509685826", 4, false},
	{"binary/fico_binary.csv.gz", ".005", ".3036509227", 3, false},
}

func TestKnown(t *testing.T) {
	testKnown(t, published, rules.Options{}) // they give their antecedents
	testKnown(t, mined, rules.Options{MaxCard: 2, MinSupport: ratio.New(1, 100)})
	testKnown(t, negated, rules.Options{MaxCard: 1, Negations: true, MinSupport: ratio.New(1, 100)})
}

func testKnown(t *testing.T, all []known, o rules.Options) {
	for _, k := range all {
		t.Run(filepath.Base(k.file)+" "+k.lambda, func(t *testing.T) {
			if k.long && *soak == 0 {
				t.Skip("takes long: run with -soak")
			}
			k.check(t, testgen.Reduced(t, testgen.Published(t, o, k.file)))
		})
	}
}

func (k known) check(t *testing.T, in *instance.Instance) {
	t.Helper()
	lambda := must.Get(ratio.Parse(k.lambda))(t)
	r := must.Get(Solve(t.Context(), in, Options{Lambda: lambda}))(t)
	digits := len(strings.TrimPrefix(k.objective, "."))
	objective := strings.TrimPrefix(big.NewRat(r.Objective, r.Scale).FloatString(digits), "0")
	if r.Status != parallel.Optimal || objective != k.objective || len(r.Rules) != k.length {
		t.Errorf("%v: %s with %d rules; the optimum is %s with %d", r.Status, objective, len(r.Rules), k.objective, k.length)
	}
	t.Logf("%d antecedents, %d points, %d expanded, %v", in.Antecedents, in.Points, r.Stats.Expanded, r.Stats.Search)
}
