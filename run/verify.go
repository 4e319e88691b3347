package run

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"parcorels/family"
	"parcorels/model"
	"parcorels/verify"
)

// Verify checks a proof about a model. Data reads the table as the proof says.
func Verify(ctx context.Context, in io.Reader, m model.Model, data func(family.Reading) (*family.Data, error),
	o family.VerifyOptions) (*family.Verification, error) {
	proof, err := verify.Open(bufio.NewReaderSize(in, 1<<16))
	if err != nil {
		return nil, err
	}
	settings, read, mining, err := family.ReadProof(proof)
	if err != nil {
		return nil, err
	}
	d, err := data(read)
	if err != nil {
		return nil, err
	}
	if d.Hash != settings.Hash {
		return nil, fmt.Errorf("%s is not the table that the proof was made for", d.Source)
	}
	set, err := family.Mine(ctx, d, mining)
	if err != nil {
		return nil, err
	}
	v, err := family.Verify(ctx, proof, set, read, o)
	if err != nil {
		return nil, err
	}
	if differ := model.Differ(v.Model, m); differ != nil {
		return nil, fmt.Errorf("the proof is about another model: %w", differ)
	}
	return v, nil
}
