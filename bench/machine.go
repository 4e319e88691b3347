package bench

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// Machine says where a figure comes from.
type Machine struct {
	CPU    string `json:"cpu"`              // the model as the processor names itself
	Cores  int    `json:"cores"`            // that this process may use
	Memory int64  `json:"memory,omitempty"` // bytes, 0 where the system does not tell
	Kernel string `json:"kernel,omitempty"` // release of the operating system's kernel
	System string `json:"system"`           // "linux/amd64"
	Go     string `json:"go"`
	Note   string `json:"note,omitempty"` // what the user says about it, such as "shared with other work"
}

// ThisMachine describes the machine that the program runs on.
func ThisMachine() Machine {
	m := Machine{
		CPU: strings.TrimSpace(cpuid.CPU.BrandName), Cores: runtime.GOMAXPROCS(0),
		System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(),
	}
	if m.CPU == "" {
		m.CPU = runtime.GOARCH
	}
	if text, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		m.Kernel = strings.TrimSpace(string(text))
	}
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		m.Memory = memTotal(string(text))
	}
	return m
}

// memTotal reads the first line of /proc/meminfo, "MemTotal: 24680000 kB".
func memTotal(text string) int64 {
	f := strings.Fields(text)
	if len(f) < 3 || f[0] != "MemTotal:" {
		return 0
	}
	n, err := strconv.ParseInt(f[1], 10, 53)
	if err != nil {
		return 0
	}
	return n << 10
}

// Commit returns the commit that the program was built from, with "+" if files
// were changed, and "unknown" if the build does not say.
func Commit() string {
	commit, changed := "unknown", ""
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return commit
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			commit = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+"
		}
	}
	return commit + changed
}
