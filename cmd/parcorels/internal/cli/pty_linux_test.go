package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// pty returns both ends of a terminal.
func pty(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = master.Close() })
	var number, unlock int32
	for request, value := range map[uintptr]*int32{syscall.TIOCSPTLCK: &unlock, syscall.TIOCGPTN: &number} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), request, uintptr(unsafe.Pointer(value))); errno != 0 {
			t.Skip(errno)
		}
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = slave.Close() })
	return master, slave
}

// received closes the terminal and returns what it was given.
func received(master, slave *os.File) string {
	_ = slave.Close()
	text, _ := io.ReadAll(master) // EIO once the other end is closed
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// TestDataOnTerminal: also what is meant for programs is shown with escapes
// where it goes to a terminal, and as it is elsewhere.
func TestDataOnTerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, map[string]string{"t.csv": "a,class\n\"x" + strings.ReplaceAll(evil, "\r", "") + "\",1\ny,0\n"})
	if status, _, stderr := run("fit", "t.csv", "--lambda", "0.1", "-o", "model.json"); status != exitDone {
		t.Fatal(stderr)
	}
	for _, line := range []string{"predict model.json t.csv --quiet", "fit t.csv --lambda 0.1 --json -", "fit t.csv --lambda 0.1 -o -"} {
		master, slave := pty(t)
		status := Run(t.Context(), words(line), strings.NewReader(""), slave, &strings.Builder{})
		text := received(master, slave)
		if status != exitDone || !plainText(text) || !strings.Contains(text, `u202ec`) {
			t.Errorf("%s: status %d, shown %q", line, status, text)
		}
	}
	if _, stdout, _ := run("predict", "model.json", "t.csv", "--quiet"); !strings.Contains(stdout, "\x1b[31m") {
		t.Errorf("not as it is: %q", stdout)
	}
}
