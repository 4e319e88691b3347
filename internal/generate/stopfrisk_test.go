package generate_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"testing"

	"parcorels/internal/generate"
	"parcorels/internal/testing/must"
)

// stops returns the text of a table.
func stops(t *testing.T, s generate.StopFrisk) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, s.Write(t.Context(), &b))
	return b.Bytes()
}

// TestStopsAreTheSameEverywhere holds the bytes of a table. At first it had the shares of the NYPD's stops, and the
// optimal lists of the paper that these are from.
func TestStopsAreTheSameEverywhere(t *testing.T) {
	sum := sha256.Sum256(stops(t, generate.StopFrisk{Rows: 3001, Seed: math.MaxUint64}))
	if got := hex.EncodeToString(sum[:]); got != "1cd48839debba7b33663abf5df640810064a657bc73737f060f02a70228cc5c5" {
		t.Errorf("SHA-256 %s", got)
	}
	if bytes.Equal(stops(t, generate.StopFrisk{Rows: 100, Seed: 1}), stops(t, generate.StopFrisk{Rows: 100, Seed: 2})) {
		t.Error("two seeds give one table")
	}
}

func TestStopsThatCannotBeWritten(t *testing.T) {
	for _, rows := range []int64{0, -1, generate.MaxStops + 1} {
		if err := (generate.StopFrisk{Rows: rows}).Write(t.Context(), io.Discard); err == nil {
			t.Errorf("%d rows are written", rows)
		}
	}
	for _, room := range []int{0, 100_000} {
		if err := (generate.StopFrisk{Rows: 3000}).Write(t.Context(), &failing{room}); !errors.Is(err, errFull) {
			t.Errorf("a full disk gives %v", err)
		}
	}
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stopped)
	if err := (generate.StopFrisk{Rows: generate.MaxStops}).Write(ctx, io.Discard); err != stopped {
		t.Errorf("a cancelled context gives %v", err)
	}
}

type failing struct{ after int }

var errFull = errors.New("disk full")

func (f *failing) Write(p []byte) (int, error) {
	if f.after -= len(p); f.after < 0 {
		return 0, errFull
	}
	return len(p), nil
}
