package short

import "parcorels/rulelist/problem"

// Run looks at the lists of 1, 2, 3 and 4 rules on the columns of p, as far as the options let it.
func Run(p *problem.Problem, o Options) (r Result) {
	if o.Memory <= 0 || o.Memory > mostMemory {
		o.Memory = mostMemory
	}
	s := &search{p, o, p.G1 + p.G0}
	if s.total < 1<<31 {
		return run[int32](s)
	}
	return run[int64](s)
}

// run is Run with counts of one type.
func run[T count](s *search) (r Result) {
	c := newTable[T](s, s.p.Columns, s.p.Antecedents, s.p.All, s.planes())
	most := s.o.Most
	if most == 0 {
		most = 4
	}
	for k := range most {
		if !s.o.Running() {
			return r
		}
		switch k {
		case 0:
			c.ones()
		case 1:
			c.allPairs(s.o.Workers)
		case 2:
			c.allTriples(s.o.Workers)
		default:
			if !c.contexts() {
				return r
			}
		}
		if !s.o.Running() {
			return r
		}
		r.Rules, r.Prefixes = k+1, c.prefixes.Load()+1
	}
	return r
}
