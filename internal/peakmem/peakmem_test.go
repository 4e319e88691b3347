package peakmem

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"parcorels/internal/testing/must"
)

func TestPeakGrows(t *testing.T) {
	before := Peak()
	if before == 0 {
		t.Skip("the system does not tell")
	}
	const more = 64 << 20
	held := make([]byte, more)
	for i := range held {
		held[i] = 1
	}
	if after := Peak(); after < more || after < before {
		t.Errorf("held %d more bytes, but the peak went from %d to %d", more, before, after)
	}
	runtime.KeepAlive(held)
}

func TestHighWater(t *testing.T) {
	file := filepath.Join(t.TempDir(), "status")
	for text, want := range map[string]int64{
		"Name:\tx\nVmHWM:\t    2432 kB\nVmRSS:\t 1 kB\n": 2432 << 10,
		"Name:\tVmHWM: 5 kB\n":                           0,
		"Name:\tx\nVmHWM:\t many kB\n":                   0,
		"Name:\tx\nVmHWM:":                               0,
	} {
		must.Do(t, os.WriteFile(file, []byte(text), 0o600))
		if got := highWater(file); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if got := highWater(file + "x"); got != 0 {
		t.Errorf("no file: %d", got)
	}
}
