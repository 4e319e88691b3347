package generate_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/internal/generate"
	"parcorels/ratio"
	"parcorels/rulelist/search"
	"parcorels/rules"
)

// stops returns the text of a table.
func stops(t *testing.T, s generate.StopFrisk) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// records returns the columns by name and the rows of a table.
func records(t *testing.T, table []byte) (at map[string]int, rows [][]string) {
	t.Helper()
	all, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at = map[string]int{}
	for i, name := range all[0] {
		at[name] = i
	}
	return at, all[1:]
}

// TestStopsAreTheSameEverywhere holds the bytes of two tables.
func TestStopsAreTheSameEverywhere(t *testing.T) {
	for _, c := range []struct {
		stops generate.StopFrisk
		want  string
	}{
		{generate.StopFrisk{Rows: 3000, Seed: 1}, "86b15743736246de445d4732904278f67e1a65c7c7e91195ca8bb047e0981a9c"},
		{generate.StopFrisk{Rows: 3001, Seed: math.MaxUint64, Balance: true},
			"1cd48839debba7b33663abf5df640810064a657bc73737f060f02a70228cc5c5"},
	} {
		sum := sha256.Sum256(stops(t, c.stops))
		if got := hex.EncodeToString(sum[:]); got != c.want {
			t.Errorf("%+v: SHA-256 %s, want %s", c.stops, got, c.want)
		}
	}
	if bytes.Equal(stops(t, generate.StopFrisk{Rows: 100, Seed: 1}), stops(t, generate.StopFrisk{Rows: 100, Seed: 2})) {
		t.Error("two seeds give one table")
	}
}

// TestWeapons: the classes have exactly the rows that they are to have.
func TestWeapons(t *testing.T) {
	for _, c := range []struct {
		rows    int64
		balance bool
		want    int
	}{
		{29595, false, 1397}, {1, false, 0}, {11, false, 1}, {1, true, 0}, {2, true, 1}, {3, true, 1}, {5001, true, 2500},
	} {
		at, rows := records(t, stops(t, generate.StopFrisk{Rows: c.rows, Balance: c.balance}))
		weapons := 0
		for _, r := range rows {
			if r[at["weapon"]] == "1" {
				weapons++
			}
		}
		if int64(len(rows)) != c.rows || weapons != c.want {
			t.Errorf("%d rows, balanced %v: %d rows, %d weapons, want %d", c.rows, c.balance, len(rows), weapons, c.want)
		}
	}
}

// TestResampling: balanced rows with a weapon repeat few stops, those without
// are stops of their own.
func TestResampling(t *testing.T) {
	at, rows := records(t, stops(t, generate.StopFrisk{Rows: 20000, Balance: true}))
	distinct := [2]map[string]bool{{}, {}}
	for _, r := range rows {
		distinct[r[at["weapon"]][0]-'0'][strings.Join(r, ",")] = true
	}
	// 10,000 stops without a weapon belong to 10000·1397/28198 = 495 with one.
	if n := len(distinct[1]); n < 300 || n > 495 {
		t.Errorf("%d distinct rows with a weapon, want at most 495 and not many fewer", n)
	}
	if n := len(distinct[0]); n < 4000 {
		t.Errorf("only %d distinct rows without a weapon", n)
	}
}

// TestShares holds a table against shares of the NYPD's stops, by class, of
// single values and of pairs that depend on one another.
func TestShares(t *testing.T) {
	at, rows := records(t, stops(t, generate.StopFrisk{Rows: 100_000, Seed: 7}))
	var all [2]float64
	for _, r := range rows {
		all[r[at["weapon"]][0]-'0']++
	}
	// Counts of 28,198 stops without a weapon and 1,397 with one.
	for _, c := range []struct {
		no, yes    float64
		conditions []string
	}{
		{724, 226, []string{"cs_objcs", "1"}},
		{8262, 326, []string{"cs_descr", "1"}},
		{7939, 147, []string{"cs_casng", "1"}},
		{4177, 71, []string{"cs_lkout", "1"}},
		{1598, 76, []string{"cs_cloth", "1"}},
		{2099, 39, []string{"cs_drgtr", "1"}},
		{12957, 532, []string{"cs_furtv", "1"}},
		{3642, 127, []string{"cs_vcrim", "1"}},
		{2653, 457, []string{"cs_bulge", "1"}},
		{6326, 299, []string{"ac_rept", "1"}},
		{4173, 202, []string{"ac_inves", "1"}},
		{8738, 450, []string{"ac_proxm", "1"}},
		{7120, 267, []string{"ac_evasv", "1"}},
		{2411, 73, []string{"ac_assoc", "1"}},
		{7994, 347, []string{"ac_cgdir", "1"}},
		{15276, 707, []string{"ac_incid", "1"}},
		{11564, 522, []string{"ac_time", "1"}},
		{780, 60, []string{"ac_stsnd", "1"}},
		{3857, 440, []string{"city", "Manhattan"}},
		{2880, 91, []string{"city", "Staten-Island"}},
		{4112, 148, []string{"location", "housing-authority"}},
		{654, 288, []string{"location", "transit-authority"}},
		{4363, 413, []string{"inout", "inside"}},
		{4740, 225, []string{"ac_rept", "1", "cs_descr", "1"}},
		{630, 286, []string{"location", "transit-authority", "inout", "inside"}},
		{5528, 229, []string{"cs_furtv", "1", "ac_cgdir", "1"}},
		{9602, 429, []string{"ac_time", "1", "ac_incid", "1"}},
		{36, 139, []string{"cs_bulge", "1", "location", "transit-authority"}},
		{44, 41, []string{"cs_bulge", "1", "cs_objcs", "1"}},
		{420, 239, []string{"city", "Manhattan", "location", "transit-authority"}},
	} {
		var got [2]float64
		for _, r := range rows {
			hit := true
			for i := 0; i < len(c.conditions); i += 2 {
				hit = hit && r[at[c.conditions[i]]] == c.conditions[i+1]
			}
			if hit {
				got[r[at["weapon"]][0]-'0']++
			}
		}
		for class, want := range []float64{c.no / 28198, c.yes / 1397} {
			// Shares of few stops are smoothed in the model, hence the second term.
			allowed := 4*math.Sqrt(want*(1-want)/all[class]) + 0.003
			if got := got[class] / all[class]; math.Abs(got-want) > allowed {
				t.Errorf("class %d, %q: share %.4f, want %.4f", class, c.conditions, got, want)
			}
		}
	}
}

// TestStopsHaveThePapersLists: the optimal rule lists are those of figure 23 of
// the paper that the data is from.
func TestStopsHaveThePapersLists(t *testing.T) {
	table := stops(t, generate.StopFrisk{Rows: 20_000, Seed: 1})
	d, err := dataset.ReadFrom(bytes.NewReader(table), "stops.csv", dataset.Options{ClassWeights: "balanced"})
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Mine(t.Context(), d, rules.Options{MaxCard: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Antecedents) != 28 {
		t.Errorf("%d antecedents, want 28", len(set.Antecedents))
	}
	in, err := instance.FromSet(set)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		lambda ratio.Ratio
		want   string
	}{
		{ratio.New(1, 25), "cs_bulge, cs_objcs"},
		{ratio.New(1, 100), "cs_bulge, cs_objcs, location = transit-authority"},
	} {
		result, err := search.Solve(t.Context(), in, search.Options{Lambda: c.lambda, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		for _, r := range result.Rules {
			got[set.Antecedents[r.Antecedent].Name] = r.Class == 1
		}
		for name := range strings.SplitSeq(c.want, ", ") {
			if !got[name] {
				t.Errorf("λ = %v: the list does not say yes to %q: %v", c.lambda, name, got)
			}
		}
		if len(got) != strings.Count(c.want, ", ")+1 || result.Default != 0 {
			t.Errorf("λ = %v: rules %v, default %v; want %s, else no", c.lambda, got, result.Default, c.want)
		}
	}
}

func TestStopsThatCannotBeWritten(t *testing.T) {
	for _, rows := range []int64{0, -1, generate.MaxStops + 1} {
		if err := (generate.StopFrisk{Rows: rows}).Write(t.Context(), io.Discard); err == nil {
			t.Errorf("%d rows are written", rows)
		}
	}
	for _, room := range []int{0, 100_000} {
		if err := (generate.StopFrisk{Rows: 3000}).Write(t.Context(), &failing{room}); !errors.Is(err, errFull) {
			t.Errorf("a full disk gives %v", err)
		}
	}
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stopped)
	if err := (generate.StopFrisk{Rows: generate.MaxStops}).Write(ctx, io.Discard); err != stopped {
		t.Errorf("a cancelled context gives %v", err)
	}
}

type failing struct{ after int }

var errFull = errors.New("disk full")

func (f *failing) Write(p []byte) (int, error) {
	if f.after -= len(p); f.after < 0 {
		return 0, errFull
	}
	return len(p), nil
}
