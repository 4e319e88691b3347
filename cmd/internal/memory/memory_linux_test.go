package memory

import (
	"io/fs"
	"math"
	"testing"
	"testing/fstest"
)

func files(list map[string]string) fs.FS {
	m := fstest.MapFS{}
	for name, text := range list {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

const meminfo = "MemTotal:       16000000 kB\nMemFree:         1000000 kB\nMemAvailable:    8000000 kB\n"

func TestAvailable(t *testing.T) {
	m := &Manager{asked: math.MaxInt64}
	const free = 8000000 << 10
	for _, c := range []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"no proc", nil, fallback},
		{"no groups", map[string]string{"proc/meminfo": meminfo}, free},
		{"unlimited v2", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max": "max\n"}, free},
		{"v2, limit of the parent", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "3000\n"}, 3000},
		{"v2, path from outside", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/outer/box\n",
			"sys/fs/cgroup/memory.max": "5000\n"}, 5000},
		{"v1", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "5:cpu:/\n4:memory:/box\n0::/\n",
			"sys/fs/cgroup/memory/box/memory.limit_in_bytes": "7000\n"}, 7000},
		{"v1 unlimited", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "4:memory:/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, free},
		{"nonsense", map[string]string{"proc/meminfo": "MemAvailable: many kB\n", "proc/self/cgroup": "garbage\n::\n"}, fallback},
	} {
		if got := m.available(files(c.files)); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestSoftLimitIsAboveTheBound(t *testing.T) {
	for _, bound := range []int64{1 << 20, 1 << 34, 1<<63 - 1} {
		if got := softLimit(bound, heapInUse()); got < bound {
			t.Errorf("softLimit(%d) = %d", bound, got)
		}
	}
}
