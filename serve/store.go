package serve

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parcorels/internal/wording"
	"parcorels/optionerr"
)

// Options say what a server is to do. The zero value of each but Folder is the default.
type Options struct {
	Folder   string        // holds tables and runs; it is made if it is not there
	Software string        // the name of the program, for models
	Time     time.Duration // limit of a search where nobody asks for another; 0: none
	Memory   int64         // bytes for all searches together; 0: no limit
	AtOnce   int           // searches at the same time, which share the cores; 0: 1
	Upload   int64         // most bytes of a table that is sent; 0: 1 GiB

	// write takes the place of atomicfile.Write in tests of a full disk.
	write func(path string, write func(io.Writer) error) error
	every time.Duration // from one checkpoint to the next; 0: saveEvery
	turn  time.Duration // how long a search has its place to itself; 0: turn
}

// The folders within the folder.
const (
	tablesFolder   = "tables"
	runsFolder     = "runs"
	sessionsFolder = "sessions"
)

// store is the folder of a server. Its methods read and keep tables.
type store struct {
	o    Options
	root *os.Root
}

// limits of what a client may send and hold.
const (
	mostConnections = 100 // at a time: others wait

	headerBytes = 32 << 10
	headerTime  = 10 * time.Second
	formBytes   = 1 << 20
	formTime    = 30 * time.Second // from one part of a form to the next
	idleTime    = 2 * time.Minute
	answerTime  = 5 * time.Minute // for an answer to be taken
)

// overtaking is how many runs may begin beside those that have a place, and turn how long a search has its
// place to itself: so a question of a second does not wait behind one of minutes.
const (
	overtaking = 2
	turn       = 5 * time.Second
)

// newToken returns 128 bits at random.
func newToken() string { return strings.ToLower(rand.Text()) }

// path is where a file of the folder is.
func (s *store) path(parts ...string) string {
	return filepath.Join(append([]string{s.o.Folder}, parts...)...)
}

// said is an error for people: options by the names that the page has for them. The folder is nobody's concern.
func (s *store) said(err error) string {
	text := strings.ReplaceAll(optionerr.Rename(err.Error(), optionName), s.path(tablesFolder)+string(filepath.Separator), "")
	var path *fs.PathError
	if errors.As(err, &path) {
		text = strings.ReplaceAll(text, path.Path, filepath.Base(path.Path))
	}
	if first, _, _ := strings.Cut(text, " "); strings.Contains(first, ".") {
		return text // it begins with a file
	}
	return wording.Capital(text)
}
