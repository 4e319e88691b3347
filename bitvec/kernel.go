package bitvec

import (
	"fmt"
	"os"
	"strings"
)

// KernelEnv names the environment variable that overrides the choice of
// kernel: one of the names that [Kernels] returns.
const KernelEnv = "PARCORELS_KERNEL"

// kernel is an implementation of the hot functions. Every one gives the same
// results as generic.
type kernel uint8

const (
	generic kernel = iota // math/bits
	avx2                  // nibble table, 256 bits
	avx512                // VPOPCNTQ and VPMADD52LUQ
	neon                  // CNT
)

var kernelNames = [...]string{generic: "generic", avx2: "avx2", avx512: "avx512", neon: "neon"}

// active is the kernel in use. It is read once a call and written only at
// start-up and by UseKernel.
var active, errKernel = choose(os.Getenv(KernelEnv))

// choose returns the kernel called name, or the best one that this machine
// runs if name is empty or not to be had (which the error then says).
func choose(name string) (kernel, error) {
	best := generic
	for k := range kernelNames {
		switch {
		case !kernel(k).available():
		case name == kernelNames[k]:
			return kernel(k), nil
		default:
			best = kernel(k)
		}
	}
	if name == "" {
		return best, nil
	}
	for k := range kernelNames {
		if name == kernelNames[k] {
			return best, fmt.Errorf("%s=%q: this processor, system or build cannot run that kernel (it runs %s)",
				KernelEnv, name, strings.Join(Kernels(), ", "))
		}
	}
	return best, fmt.Errorf("%s=%q: no such kernel (there are %s)", KernelEnv, name, strings.Join(kernelNames[:], ", "))
}

// Kernel returns the name of the kernel in use: "generic", "avx2",
// "avx512" or "neon".
func Kernel() string { return kernelNames[active] }

// Kernels returns the names of the kernels that this machine and this build
// can run, "generic" first and the one chosen by default last.
func Kernels() (names []string) {
	for k, name := range kernelNames {
		if kernel(k).available() {
			names = append(names, name)
		}
	}
	return names
}

// KernelError reports a value of the environment variable [KernelEnv] that
// names no kernel or one that cannot run here, nil otherwise. The default
// kernel is then in use.
func KernelError() error { return errKernel }

// UseKernel switches to the kernel called name, or reports that this machine
// cannot run it. It is for tests and benchmarks: it must not run while any
// other function of this package does.
func UseKernel(name string) error {
	k, err := choose(name)
	if err != nil {
		return err
	}
	active = k
	return nil
}
