package cli

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"parcorels/bitvec"
	"parcorels/cmd/parcorels/internal/process"
)

func printVersion(_ context.Context, e *process.Env, _ []string) error {
	return e.Print(fmt.Sprintf("parcorels %s (%s, %s/%s, %s kernels)\n",
		Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, bitvec.Kernel()))
}

// release is the version of a released program, such as "v0.1.0"; .ci/release and the wheel
// set it when they link the program.
var release string

// Version returns the version of the release, or of the module, as "go install" or the
// version control system stamped it on the program.
func Version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// software is what the program calls itself in models.
func software() string { return "parcorels " + Version() }

// optionsCommand prints the table of options for other front ends, which test theirs against it.
func printOptions(_ context.Context, e *process.Env, _ []string) error {
	return e.WriteJSON("-", process.NewLearning().Table)
}

// without is the begin of a command that has no options.
func without(run work) func(*call) (work, []process.Group) {
	return func(*call) (work, []process.Group) { return run, nil }
}
