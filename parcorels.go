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
// The packages below have more: dataset reads tables, rules mines antecedents,
// rulelist/search and tree/search search, verify checks proofs, crossval chooses λ.
//
// An option with an impossible value gives a [*optionerr.Error], which names the field. An
// error in the data is one line that names file, line, column and value.
package parcorels
