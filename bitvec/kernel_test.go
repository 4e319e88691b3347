package bitvec

import (
	"slices"
	"strings"
	"testing"
)

func TestKernelByName(t *testing.T) {
	before := Kernel()
	defer func() { check(t, UseKernel(before)) }()
	if ks := Kernels(); ks[0] != "generic" {
		t.Errorf("kernels %v do not begin with the generic one", ks)
	}
	for _, name := range kernelNames {
		err := UseKernel(name)
		switch runs := slices.Contains(Kernels(), name); {
		case runs && (err != nil || Kernel() != name):
			t.Errorf("UseKernel(%q): %v, now %s", name, err, Kernel())
		case !runs && (err == nil || !strings.Contains(err.Error(), `"`+name+`"`)):
			t.Errorf("UseKernel(%q), which this machine does not run: %v", name, err)
		}
	}
}

func TestUnknownKernel(t *testing.T) {
	before := Kernel()
	err := UseKernel("sse9\n")
	if err == nil || !strings.Contains(err.Error(), `PARCORELS_KERNEL="sse9\n": no such kernel (there are generic, avx2`) {
		t.Errorf("error %v", err)
	}
	if Kernel() != before {
		t.Errorf("the kernel changed to %s", Kernel())
	}
}

// TestNoAllocations: what a search calls per node does not allocate, and does
// not make its arguments escape, with any kernel.
func TestNoAllocations(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		costs := make([]int64, 10*64)
		for i := range costs {
			costs[i] = int64(1000 - i)
		}
		p, m, h := NewPlanes(costs, 3), NewMatrix(20, 10), NewHasher(10)
		var prog Program
		p.CompileComplement(&prog, make([]uint64, 10))
		allocs := testing.AllocsPerRun(100, func() {
			var u, v [10]uint64
			var g1, g0 [24]int64
			var mask, alive [1]uint64
			survey := Survey{All1: 2000, All0: 2000}
			u[2] = 1 << 7
			p.Compile(&prog, u[:])
			m.Count(&prog, 0, 3, g1[:], g0[:])
			p.CompileComplement(&prog, u[:])
			m.FirstWithin(&prog, 0, 3, g1[:], 5)
			survey.Run(alive[:], g1[:], g0[:])
			SelectEither(mask[:], alive[:], g1[:], g0[:], 1, &Reach{Open: 3}, &Reach{Last: 4})
			p.Cost(u[:])
			p.CostAnd(u[:], v[:])
			p.CostAndNot(u[:], v[:])
			p.CostAnd3(u[:], v[:], u[:])
			AndNot(v[:], u[:], v[:])
			h.AndNotHash(v[:], u[:], v[:])
			h.Hash(v[:])
		})
		if allocs != 0 {
			t.Errorf("%v allocations a node", allocs)
		}
	})
}
