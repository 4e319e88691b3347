package dataset

import (
	"os"
	"path/filepath"
	"testing"
)

// TestKnownData reads the data sets of the papers, where PARCORELS_DATA names
// the folder that has them.
func TestKnownData(t *testing.T) {
	dir := os.Getenv("PARCORELS_DATA")
	if dir == "" {
		t.Skip("PARCORELS_DATA is not set")
	}
	for _, c := range []struct {
		path          string
		o             Options
		n, features   int
		ones          uint
		target, class string
	}{
		{"corels/compas_train.out.gz", Options{}, 6489, 155, 2906, "recidivate-within-two-years", "Yes"},
		{"corels/bcancer.out.gz", Options{}, 683, 1336, 239, "label", "1"},
		{"corels/cars.out.gz", Options{}, 1728, 792, 518, "label", "1"},
		{"corels/haberman.out.gz", Options{}, 306, 334, 225, "label", "1"},
		{"corels/monks1.out.gz", Options{}, 432, 396, 216, "label", "1"},
		{"corels/votes.out.gz", Options{}, 435, 512, 267, "label", "1"},
		{"corels/ttt_test.out.gz", Options{}, 62, 1980, 37, "label", "1"},
		{"binary/tic-tac-toe.csv.gz", Options{}, 958, 18, 626, "target", "1"},
		{"binary/fico_binary.csv.gz", Options{}, 10459, 17, 5000, "RiskPerform", "1"},
		{"tables/nyclu2014-weapon.csv.gz", Options{}, 29595, 28, 1397, "weapon", "1"},
		{"tables/telco-customer-churn.csv.gz", Options{Ignore: []string{"customerID"}}, 7043, 63, 1869, "Churn", "Yes"},
		{"tables/house-votes-84.data.gz", Options{NoHeader: true, Target: "c1"}, 435, 48, 168, "c1", "republican"},
		{"tables/car.data.gz", Options{NoHeader: true, Positive: "unacc"}, 1728, 21, 1210, "c7", "unacc"},
		{"tables/heloc.csv.gz", Options{Target: "RiskPerformance", Positive: "Bad", Missing: []string{"-7", "-8", "-9"}, DropMissing: true},
			2502, 69, 1560, "RiskPerformance", "Bad"},
	} {
		d, err := Read(filepath.Join(dir, filepath.FromSlash(c.path)), c.o)
		if err != nil {
			t.Error(err)
			continue
		}
		checkInvariants(t, d)
		if d.N != c.n || len(d.Features) != c.features || d.Labels.Count() != c.ones || d.Target != c.target || d.Classes[1] != c.class {
			t.Errorf("%s: %d samples, %d features, %d of class %q of %q; want %+v", c.path, d.N, len(d.Features), d.Labels.Count(),
				d.Classes[1], d.Target, c)
		}
	}
}
