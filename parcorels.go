// Package parcorels learns models that are provably optimal, and predicts with
// them: rule lists, decision trees, rule sets and Bayesian rule lists. Begin with
// [Read] and [Fit]; a [Model] predicts, prints itself and is saved, and [Decode]
// reads it again.
//
//	data, err := parcorels.Read("table.csv", parcorels.Reading{})
//	m, err := parcorels.Fit(ctx, data, parcorels.Options{Lambda: "0.01"})
//	fmt.Print(m)
//	p, err := m.Predict(map[string]string{"age": "31", "sex": "f"})
//
// The packages below have more: family has a record of each kind of model, the folders of ask answer
// one question each about a problem, verify checks proofs, rulelist/search and tree/search search.
//
// An option with an impossible value gives a [*optionerr.Error], which names the field. An
// error in the data is one line that names file, line, column and value.
package parcorels

import (
	"context"
	"io"

	"parcorels/family"
	_ "parcorels/table/excel" // opened by table
	_ "parcorels/table/parquet"
)

// The words of the library.
type (
	Reading    = family.Reading    // how a table is read
	Data       = family.Data       // a table that was read
	Options    = family.Options    // what to learn, and how
	Model      = family.Model      // a learned model of any family
	Prediction = family.Prediction // what a model says of a row
	Event      = family.Event      // a look at a running search
	Proof      = family.Proof      // where the proof of a fit goes
	Checkpoint = family.Checkpoint // where a search is saved, and what it resumes from
)

// Read reads a table (CSV and its relatives, plain or gzip-compressed), or a file
// in the format of CORELS (.out).
func Read(path string, o Reading) (*Data, error) { return family.Read(path, o) }

// ReadFrom is Read on a stream; name stands for the path.
func ReadFrom(r io.Reader, name string, o Reading) (*Data, error) { return family.ReadFrom(r, name, o) }

// Table reads rows that are in memory, as texts under the names of columns. An
// empty text is a missing value.
func Table(header []string, rows [][]string, o Reading) (*Data, error) {
	return family.Table(header, rows, o)
}

// Fit finds the best model of the family on the data, and proves that none is better unless a limit or ctx ends
// the search first. See [family.Fit].
func Fit(ctx context.Context, data *Data, o Options) (*Model, error) { return family.Fit(ctx, data, o) }

// Decode reads a model file of any family; name stands for it in errors.
func Decode(r io.Reader, name string) (*Model, error) { return family.Decode(r, name) }

// Load is Decode of the file at path.
func Load(path string) (*Model, error) { return family.Load(path) }
