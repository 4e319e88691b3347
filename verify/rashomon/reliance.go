package rashomon

import "parcorels/rules"

// Reliance returns what a good model loses at least and at most if the values of a column are dealt out among the
// samples at random: the mean over all ways to deal, as a share of the squared weight of the samples. So each
// sample is a further row with each value of the column, of the weight of both. It returns false if
// the tables have too many entries, or the weights have too many digits.
func Reliance(a Answers, set *rules.Set, column string) (least, most float64, ok bool) {
	d := set.Data
	total := d.TotalWeight()
	if total >= 1<<31 {
		return 0, 0, false
	}
	var own, others []int // features of the conditions
	looked := map[int]bool{}
	for _, x := range set.Antecedents {
		for _, l := range x.Literals {
			switch {
			case looked[l.Feature]:
			case d.Features[l.Feature].Column == column:
				own = append(own, l.Feature)
			default:
				others = append(others, l.Feature)
			}
			looked[l.Feature] = true
		}
	}
	rest, value := kinds(set, others), kinds(set, own)
	classes := d.ClassCount()
	wrong := make([][]int64, len(rest.first)) // by kind and class, the weight of the samples of other classes
	for k := range wrong {
		wrong[k] = make([]int64, classes)
	}
	s := Sum{Predicted: make([][]int64, classes), Further: make([][]int64, classes)}
	for i := range d.N {
		for c := range classes {
			w := int64(0)
			if d.Class(i) != c {
				w = d.Weight(i)
			}
			wrong[rest.of[i]][c] += w
			s.Predicted[c] = append(s.Predicted[c], -w*total)
		}
	}
	rows := Rows{Holds: make([][]uint64, len(set.Antecedents))}
	places := map[string]int{}
	holds := make([]byte, len(set.Antecedents))
	for k, i := range rest.first {
		for v, from := range value.first {
			for a, x := range set.Antecedents {
				holds[a] = 1
				for _, l := range x.Literals {
					f, sample := &d.Features[l.Feature], i
					if f.Column == column {
						sample = from
					}
					if f.Bits.Test(uint(sample)) == l.Negated {
						holds[a] = 0
					}
				}
			}
			at, known := places[string(holds)]
			if !known {
				at = rows.Count
				places[string(holds)] = at
				for a, bit := range holds {
					if at%64 == 0 {
						rows.Holds[a] = append(rows.Holds[a], 0)
					}
					rows.Holds[a][at/64] |= uint64(bit) << (at % 64)
				}
				for c := range classes {
					s.Further[c] = append(s.Further[c], 0)
				}
				rows.Count++
			}
			for c := range classes {
				s.Further[c][at] += wrong[k][c] * value.weight[v]
			}
		}
	}
	values, ok := a.Sums(rows, s)
	low, high, first := int64(0), int64(0), true
	for x := range values {
		if first {
			low, high, first = x, x, false
		}
		low, high = min(low, x), max(high, x)
	}
	return float64(low) / float64(total) / float64(total), float64(high) / float64(total) / float64(total), ok
}

// sampleKinds parts samples by some features.
type sampleKinds struct {
	of     []int   // by sample
	first  []int   // by kind, a sample
	weight []int64 // of the samples of each kind
}

func kinds(set *rules.Set, features []int) (k sampleKinds) {
	d := set.Data
	known := map[string]int{}
	name := make([]byte, len(features))
	for i := range d.N {
		for j, f := range features {
			name[j] = 0
			if d.Features[f].Bits.Test(uint(i)) {
				name[j] = 1
			}
		}
		at, ok := known[string(name)]
		if !ok {
			at = len(k.first)
			known[string(name)] = at
			k.first, k.weight = append(k.first, i), append(k.weight, 0)
		}
		k.of = append(k.of, at)
		k.weight[at] += d.Weight(i)
	}
	return k
}
