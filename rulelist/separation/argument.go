package separation

// The inequality.
//
// A prefix leaves the points u; point e has a label and a cost. For a
// completion, let x(s,q) be 1 if it holds the rule "s then q", and z(e) be 1 if
// it mispredicts e. For every set Q of points of u that holds both labels,
//
//	Σ z(e) over e in Q  +  Σ x(s,q) over rules that are pure on Q  ≥  1,
//
// where (s,q) is pure on Q if s captures at least one point of Q and only
// points of label q. For suppose every point of Q is right. If a rule touches Q,
// take the first one: it captures all of s∩Q and gives it one label, so s∩Q is
// pure and of that label, and its term is 1. If none does, the default gives one
// label to both: a contradiction. The order of the rules plays no part.
//
// The integer program is the problem.
//
// Minimise λN·Σx + Σ cost(e)·z(e) under all these inequalities, in integers. For a
// solution, let Q0 be the points with z = 0. While what is left of Q0 is mixed,
// some rule that is used is pure on it: put this rule next and remove what it
// captures. The list so peeled makes no error on Q0, and costs no more.
//
// The bound.
//
// For any weights y(Q) ≥ 0,
//
//	LB(y) = Σ y(Q) − Σ max(0, load(s,q) − λN) − Σ max(0, load(e) − cost(e)),
//
// where the load of a rule or point is the sum of y over the sets whose
// inequality it is in. This is the value of the Lagrangian relaxation, so no
// completion costs less, whatever y is. Evaluate computes it in integers.
//
// A rule (s,q) may be left out of a context if every completion that uses it is
// beaten by a smaller list: if it gains no more than λN there (deleting it is
// no worse), or if it was fixed: LB(y) + max(0, λN − load(s,q)) is the
// least that a completion with it costs, and that exceeds the incumbent.
//
// Related work.
//
// Inequalities over pairs of samples of different classes are known from the
// choice of attributes: a support set in the logical analysis of data must tell
// every such pair apart (Boros, Hammer, Ibaraki, Kogan, Mayoraz and Muchnik, IEEE
// TKDE 2000), as must a test collection (Moret and Shapiro, SIAM J. Sci. Stat.
// Comput. 1985). There an attribute separates a pair for good; here a rule does so
// if it is pure, a sample may be given up at its cost, and pairs do not suffice.
// Other exact methods keep the order or the path of a sample in the program:
// rule lists by integer programming (Rudin and Ertekin, Math. Prog. Comp. 2018) and
// by SAT (Yu, Ignatiev, Stuckey and Le Bodic, JAIR 2021), and trees by Benders cuts
// from max-flow (Aghaei, Gómez and Vayanos, 2020). Rule sets without order
// have a program by covering (Dash, Günlük and Wei, NeurIPS 2018). Lagrangian bounds of covering
// programs with fixing by reduced costs are classical (Caprara, Fischetti and Toth,
// Operations Research 1999). We did not find the inequality for larger sets, nor
// that its integer program is the rule-list problem, in what a search of titles
// and abstracts brings up; that is no proof that nobody has them.
