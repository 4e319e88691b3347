package rulelist_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"parcorels/verify/framing"
	verifylist "parcorels/verify/rulelist"
)

// TestProgress: what is told rises, and in the end it is what was checked; and
// nothing is told of a check that is over.
func TestProgress(t *testing.T) {
	looks, early := 0, 0
	for seed := range uint64(40) {
		p := prove(t, sample(seed), nil, int(seed%4), rand.New(rand.NewPCG(seed, 1)))
		file := p.script.file()
		if seed%5 == 0 {
			file = file[:len(file)-1] // refused when its last block is read
		}
		over := false
		var last framing.Progress
		r, err := checkFrom(t.Context(), bytes.NewReader(file), p.set, verifylist.Options{Options: framing.Options{
			Workers: 1 + int(seed%3), Every: 1,
			Progress: func(now framing.Progress) {
				if over || last.Final {
					t.Errorf("seed %d: told of a check that is over", seed)
				}
				if now.Records < last.Records || now.Checked < last.Checked || now.Of < last.Of ||
					now.Elapsed < last.Elapsed || now.Checked > now.Of {
					t.Errorf("seed %d: %+v after %+v", seed, now, last)
				}
				if last = now; !now.Final {
					looks++
				}
			},
		}})
		over = true
		if !last.Final {
			t.Errorf("seed %d: the last that was told is %+v", seed, last)
		}
		if err != nil {
			early++
			continue
		}
		if last.Records != r.Records || last.Checked != r.Prefixes {
			t.Errorf("seed %d: in the end %+v, checked were %+v", seed, last, r)
		}
	}
	if looks == 0 || early != 8 {
		t.Errorf("%d looks before the end, %d refused", looks, early)
	}
}
