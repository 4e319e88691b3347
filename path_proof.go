package parcorels

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"

	"parcorels/choice"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/verify"
)

// ProvePath writes the proof of a path that has nothing open: for each model a proof that it is
// the best at the λ down to which it is optimal (T2 of package choice). The options are those
// of the path. It searches once more for each model.
func (p *Problem) ProvePath(ctx context.Context, o Options, path *Path, to io.Writer) error {
	if len(path.Open) > 0 || len(path.Vertices) == 0 {
		return optionerr.Errorf("Proof", "a limit left a part of the path open, so there is no proof of it")
	}
	if _, err := to.Write(binary.LittleEndian.AppendUint32([]byte(verify.PathMagic), verify.PathVersion)); err != nil {
		return err
	}
	for _, v := range path.Vertices {
		var file bytes.Buffer
		if !v.From.Num().IsInt64() || !v.From.Denom().IsInt64() {
			return optionerr.Errorf("Proof", "λ = %s has too many digits for a proof", v.From.RatString())
		}
		o := o.WithPrice(ratio.New(v.From.Num().Int64(), v.From.Denom().Int64()))
		o.Proof = &Proof{To: &file}
		m, err := p.Fit(ctx, o)
		switch {
		case err != nil:
			return err
		case m.Search.ProofErr != nil:
			return m.Search.ProofErr
		case !m.Search.Proved:
			return optionerr.Errorf("Proof", "a limit ended the search for the proof with λ = %s", v.From.RatString())
		}
		if _, err := to.Write(binary.LittleEndian.AppendUint64(nil, uint64(file.Len()))); err != nil {
			return err
		}
		if _, err := to.Write(file.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// PathVerification is what a checked proof of a path shows.
type PathVerification struct {
	Models []*Verification // by size; each is optimal from its Price up to that of the one before
	Claim  string          // "for every λ ≥ 0.01 one of these 3 is optimal among all rule lists on these 15 conditions"
}

// VerifyPath checks the proof of a path. What the first proof in it says of how the data were
// read is handed to data, which returns the antecedents.
func VerifyPath(ctx context.Context, in *bufio.Reader, o VerifyOptions, data func(verify.Proof) (*rules.Set, Reading, error)) (*PathVerification, error) {
	path, err := verify.OpenPath(in)
	if err != nil {
		return nil, err
	}
	var set *rules.Set
	var read Reading
	var settings []byte
	var claims []choice.Claim
	all := &PathVerification{}
	for {
		proof, err := path.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if set == nil {
			settings = proof.About().Settings
			if set, read, err = data(proof); err != nil {
				return nil, err
			}
		}
		if !bytes.Equal(settings, proof.About().Settings) {
			return nil, fmt.Errorf("%w: its proofs are about data that were read in different ways", verify.ErrRefused)
		}
		v, err := Verify(ctx, proof, set, read, o)
		if err != nil {
			return nil, fmt.Errorf("model %d of the path: %w", len(all.Models)+1, err)
		}
		all.Models = append(all.Models, v)
		claims = append(claims, choice.Claim{
			Lambda: big.NewRat(v.Price.Num, v.Price.Den), Size: v.Model.Certificate().Size, Errors: model.ErrorWeight(v.Model.Cases()),
		})
	}
	if set == nil {
		return nil, fmt.Errorf("%w: it has no proof", verify.ErrFormat)
	}
	first := all.Models[0]
	for _, v := range all.Models {
		if v.Claim != first.Claim {
			return nil, fmt.Errorf("%w: its models are of different kinds", verify.ErrRefused)
		}
	}
	_, _, told, err := ParseProofSettings(settings)
	if err != nil {
		return nil, err
	}
	smallest := len(told.First)
	if first.Model.Family() == model.Tree {
		smallest = 1
	}
	if err := choice.Certify(set.Data.TotalWeight(), smallest, claims); err != nil {
		return nil, fmt.Errorf("%w: %w", verify.ErrRefused, err)
	}
	all.Claim = fmt.Sprintf("for every λ ≥ %s one of these %d is %s", all.Models[len(all.Models)-1].Price, len(all.Models), first.Claim)
	return all, nil
}
