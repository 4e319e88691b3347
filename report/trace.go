package report

// Look is a look at a running search.
type Look struct {
	Seconds   float64  `json:"t"`
	Objective float64  `json:"objective"`
	Bound     *float64 `json:"bound,omitempty"`  // nil while none is known
	Gap       *float64 `json:"gap,omitempty"`    // (objective − lower bound) / objective
	Length    int      `json:"length"`           // of the best model
	Nodes     int64    `json:"nodes"`            // done
	Open      int64    `json:"open"`             // waiting
	Bytes     int64    `json:"bytes"`            // of the search
	Step      int      `json:"step,omitempty"`   // done, of a family whose search has steps
	Steps     int      `json:"steps,omitempty"`  // of how many
	Remain    *float64 `json:"remain,omitempty"` // log10 of a bound on the prefixes left, of a rule list
}

// Trace is looks at a running search. Begin with the zero value.
type Trace []Look

// Add adds a look. Where there are so many already, every other is left out before.
func (t *Trace) Add(l Look, most int) {
	if len(*t) == most {
		half := (*t)[:0]
		for i := 1; i < most; i += 2 {
			half = append(half, (*t)[i])
		}
		*t = half
	}
	*t = append(*t, l)
}
