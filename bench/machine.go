package bench

import (
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// Machine says where a figure comes from.
type Machine struct {
	CPU    string `json:"cpu"`    // the model as the processor names itself
	Cores  int    `json:"cores"`  // that this process may use
	System string `json:"system"` // "linux/amd64"
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
	return m
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
