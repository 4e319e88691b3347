package cli

import (
	"errors"
	"fmt"
	"io"
	"parcorels/cmd/internal/console"

	"parcorels/internal/atomicfile"
)

// errNoProof reports a search that ended without something to prove.
var errNoProof = errors.New("no proof")

// prove runs a search, and has it write a proof where --proof asks for one. The search is
// given where to write and the settings for the header; to is nil without a proof. It
// returns whether the model is proved to be optimal, and what went wrong with the proof.
// The file is replaced only by a whole proof that is on the disk. What goes wrong with it
// is fault, and does not end the search; err is the search's own.
func (f *fitted) prove(search func(to io.Writer, settings []byte) (optimal bool, fault, err error)) (proved bool, fault, err error) {
	path := f.settings.proof
	if path == "" {
		_, _, err := search(nil, nil)
		return false, nil, err
	}
	settings, err := f.settings.proofSettings(f.path, f.set.Data)
	if err != nil {
		return false, nil, err
	}
	solved := false
	fault = atomicfile.Write(path, func(w io.Writer) error {
		solved = true
		optimal, fault, failed := search(w, settings)
		f.teller.end()
		switch err = failed; {
		case err != nil:
			return err
		case !optimal:
			return errNoProof
		}
		return fault
	})
	switch {
	case !solved:
		return false, nil, unwritable(path, fault)
	case err != nil:
		return false, nil, err
	case errors.Is(fault, errNoProof):
		f.noProof()
		return false, nil, nil
	case fault != nil:
		return false, unwritable(path, fault), nil
	}
	return true, nil, nil
}

func (f *fitted) noProof() {
	f.env.note("no proof in %s: the search ended before the %s was proved to be optimal", console.Escape(f.settings.proof), f.family.noun())
}

// note prints a line that is no error.
func (e *env) note(format string, args ...any) {
	_, _ = fmt.Fprintf(e.stderr, "parcorels: note: "+format+"\n", args...)
}
