// Package separation computes lower bounds on rule lists that see no order:
// the separation bound, by linear programming over sets of points.
//
// Begin with [New], which lays a problem out, and [Problem.NewRoot], which bounds
// the empty prefix. A [Context] is a prefix to bound, a [Pool] holds the sets,
// and [Problem.Evaluate] turns integer weights into an exact bound. The LP solver
// (solver.go) works in floating point and only proposes weights.
//
// For any weights y(Q) ≥ 0 on sets Q of points that hold both labels, no completion of a
// prefix costs less than
//
//	Σ y(Q) − Σ max(0, load(s,q) − λN) − Σ max(0, load(e) − cost(e)),
//
// where the load of a rule (s,q), or of a point e, is the sum of y over the sets that it
// makes right, or that hold it. argument.go proves it and names related work.
//
//	root := separation.New(columns, costs, prices, total).NewRoot(effort, workers)
//	root.Solve(room, separation.Effort{Work: effort})
//	bound := root.Value
package separation
