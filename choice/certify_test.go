package choice

import (
	"math/big"
	"testing"
)

// TestCertify: claims prove a path of 1,000 samples only if each follows the one before.
func TestCertify(t *testing.T) {
	claim := func(num, den int64, size int, errors int64) Claim { return Claim{big.NewRat(num, den), size, errors} }
	good := []Claim{claim(1, 10, 0, 400), claim(1, 20, 1, 300), claim(1, 100, 3, 200)}
	if err := Certify(1000, 0, good); err != nil {
		t.Error(err)
	}
	for name, bad := range map[string][]Claim{
		"none":                   {},
		"no smallest model":      good[1:],
		"a gap":                  {good[0], good[2]},
		"λ that rises":           {good[0], claim(1, 5, 1, 300), good[2]},
		"size that does not":     {good[0], claim(1, 20, 0, 400), good[2]},
		"too many errors before": {claim(1, 10, 0, 401), good[1], good[2]},
		"too few errors":         {good[0], claim(1, 20, 1, 299), good[2]},
		"λ between":              {claim(1, 11, 0, 400), good[1], good[2]},
	} {
		if Certify(1000, 0, bad) == nil {
			t.Errorf("%s: certified", name)
		}
	}
}
