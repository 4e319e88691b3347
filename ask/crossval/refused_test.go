package crossval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"parcorels/bayes"
	bayessearch "parcorels/bayes/search"
	"parcorels/family"
	"parcorels/instance"
	"parcorels/internal/status"
	"parcorels/internal/testing/blocks"
	"parcorels/internal/testing/must"
	"parcorels/model"
	"parcorels/optionerr"
	listsearch "parcorels/rulelist/search"
	"parcorels/rules"
	setsearch "parcorels/ruleset/search"
	treesearch "parcorels/tree/search"
)

// TestRefused runs the blocks of testdata/refused.txt: a call with options that cannot be, an object of JSON a line, and the field
// and text of each error. A call that goes well, or an error of another type, says so.
func TestRefused(t *testing.T) {
	const monk = "../../examples/monk1.csv"
	ctx, data := context.Background(), must.Get(family.Read(monk, family.Reading{}))(t)
	set := must.Get(rules.Mine(ctx, data.Dataset, rules.Options{MaxCard: 1}))(t)
	in, points := must.Get(instance.FromSet(set))(t), must.Get(instance.PointsFromSet(set))(t)
	blocks.Replay(t, "testdata/refused.txt", func(t *testing.T, call, input string) (said string) {
		for line := range strings.Lines(input) {
			var err error
			switch text := []byte(line); call {
			case "read":
				_, err = family.Read(monk, decoded[family.Reading](t, text))
			case "fit":
				_, err = family.Fit(ctx, data, decoded[family.Options](t, text))
			case "lists":
				var r listsearch.Result
				if r, err = listsearch.Solve(ctx, in, decoded[listsearch.Options](t, text)); r.Status != status.Unknown {
					said += fmt.Sprintf("status %v beside ", r.Status)
				}
			case "trees":
				_, err = treesearch.Solve(ctx, points, decoded[treesearch.Options](t, text))
			case "sets":
				_, err = setsearch.Solve(ctx, points, decoded[setsearch.Options](t, text))
			case "bayes":
				_, err = bayessearch.Solve(ctx, points, bayes.Cardinalities(set), decoded[bayessearch.Options](t, text))
			default: // cv and a family
				o := decoded[Options](t, text)
				o.Family = model.Family(strings.TrimPrefix(call, "cv of "))
				_, err = Run(ctx, data.Dataset, o)
			}
			var bad *optionerr.Error
			if !errors.As(err, &bad) {
				said += "no error of an option: "
				bad = &optionerr.Error{}
			}
			said += fmt.Sprintf("%s: %v\n", bad.Field, err)
		}
		return said
	})
}

// decoded reads an object of JSON.
func decoded[T any](t *testing.T, text []byte) (o T) {
	t.Helper()
	must.Do(t, json.Unmarshal(text, &o))
	return o
}

// TestRefusedInGo has what JSON has no word for.
func TestRefusedInGo(t *testing.T) {
	read := func(r family.Reading) error { _, err := family.Read("../../examples/monk1.csv", r); return err }
	_, short := family.Table([]string{"a", "b"}, [][]string{{"1"}}, family.Reading{})
	_, none := family.Fit(t.Context(), nil, family.Options{})
	_, empty := family.Fit(t.Context(), &family.Data{}, family.Options{})
	for want, errs := range map[string][]error{
		"Rows": {short}, "Data": {none, empty}, "Memory": {read(family.Reading{Memory: -1}), read(family.Reading{Memory: 1})},
		"Chosen": {read(family.Reading{Chosen: map[string][]float64{"a": {2, 1}}})},
	} {
		for _, err := range errs {
			var bad *optionerr.Error
			if !errors.As(err, &bad) || bad.Field != want {
				t.Errorf("%v is not about %s", err, want)
			}
		}
	}
}
