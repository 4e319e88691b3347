package dataset

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parcorels/internal/testing/must"
	"parcorels/table"
)

// TestRewritten: a table and an .out file that are written while they are read give no data set.
func TestRewritten(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"t.csv": "a,b,label\n" + strings.Repeat("1,x,0\n2,y,1\n", 50_000),
		"t.out": "{f}" + strings.Repeat(" 0 1", 500_000) + "\n",
	} {
		path := filepath.Join(folder, name)
		write(t, path, text)
		write(t, labelsBeside(filepath.Join(folder, "t.out")), "{l:0}"+strings.Repeat(" 0 1", 500_000)+
			"\n{l:1}"+strings.Repeat(" 1 0", 500_000)+"\n")
		must.Get(Read(path, Options{}))(t)
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for second := range int64(1 << 40) {
				_ = os.Chtimes(path, time.Time{}, time.Unix(second, 0)) // the time counts as that of writing
				select {
				case <-stop:
					return
				default:
				}
			}
		}()
		_, err := Read(path, Options{})
		for tries := 1; err == nil && tries < 20; tries++ { // on a busy machine the writer may rest meanwhile
			_, err = Read(path, Options{})
		}
		close(stop)
		<-stopped
		if !errors.Is(err, table.ErrRewritten) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
