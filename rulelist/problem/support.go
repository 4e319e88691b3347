package problem

import "parcorels/costs"

// Pruning 2: support (Theorems 10, 11 and 12, sharpened by the reduction).
//
// Let rule s predict label q where the set u remains, and gain g_q(s∩u), the
// cost of the points of class q that it captures. Delete it: the points that s
// captured fall through to later rules, and at worst each one of class q
// becomes an error, while the others cannot do worse than the error that s
// made of them. So the list without s errs by at most g_q more and is one rule
// shorter: if g_q ≤ λN its objective is no larger, and being shorter it is
// strictly smaller. With q the heavier label in s∩u, a rule is useless when
// max(g1, g0) ≤ λN; as u only shrinks, it is then useless everywhere below.

// Useful reports whether a rule can be part of the smallest list, as far as what it gains says.
func (p *Problem) Useful(c *costs.Column) bool { return c.Cost-c.Errors > p.Support }
