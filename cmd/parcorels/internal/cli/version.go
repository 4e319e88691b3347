package cli

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"parcorels/bitvec"
)

func versionCommand() *command {
	return &command{
		name:    "version",
		summary: "print the version of this program",
		run: func(_ context.Context, e *env, _ *settings, _ []string) error {
			return e.print(fmt.Sprintf("parcorels %s (%s, %s/%s, %s kernels)\n",
				version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, bitvec.Kernel()))
		},
	}
}

// version returns the version of the module, as "go install" or the version
// control system stamped it on the program.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
