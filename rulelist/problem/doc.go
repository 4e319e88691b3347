// Package problem is what a search for rule lists works on: the distinct points of an
// instance with their integer costs, the columns of the antecedents that may be of use, and the
// strict total order of lists. Begin with [New].
//
// # Reading the source
//
//	problem.go        [Problem]: costs, price, columns by falling gain; [New] and [Problem.Choose];
//	                  [Solution]: a list, its objective, the order in which exactly one is smallest;
//	                  [Prunings]: the names of what may be left out
//	costs.go          labels and what they gain: what a rule does, what is missing behind it
//	support.go        a rule gains too little
//	restrict.go       which rules there may be
//	bound.go          the incumbent beats every completion
//	private.go          copies of small columns, one a worker
//
// # Names
//
//	Column      place of an antecedent among those that may be of use
//	Antecedent  its index in the instance
//	u           a set of points that a prefix leaves, as words of bits
//	Unit, Price what an error and a rule cost: objective = Unit·errors + Price·rules
package problem
