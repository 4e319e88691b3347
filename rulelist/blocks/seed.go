package blocks

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"

	"parcorels/instance"
	"parcorels/rulelist/search"
)

// mostSeed bounds the bytes of a seed.
const mostSeed = 1 << 30

// Seed returns what another process needs not find again: a first incumbent, and what the root's LP says. It takes the other
// some hundredths of a second instead of a second or more.
func (r *Ready) Seed() ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	err := json.NewEncoder(z).Encode(r.base.Seed())
	err = errors.Join(err, z.Close())
	return b.Bytes(), err
}

// PrepareFrom is Prepare with what Seed returned in another process, or search.ErrSeed.
func PrepareFrom(ctx context.Context, in *instance.Instance, o search.Options, b []byte) (*Ready, error) {
	x, err := readSeed(b)
	if err != nil {
		return nil, err
	}
	return prepare(ctx, in, o, x)
}

func readSeed(b []byte) (*search.Seed, error) {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, search.ErrSeed
	}
	var x search.Seed
	if json.NewDecoder(io.LimitReader(z, mostSeed)).Decode(&x) != nil {
		return nil, search.ErrSeed
	}
	return &x, nil
}
