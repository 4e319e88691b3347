// Command asm writes the amd64 kernels of package bitvec. Run it in this
// directory, once per kernel file:
//
//	for k in avx2 avx512 bins columns counters splits thirds; do
//		go run . -kernel $k -pkg bitvec -out ../${k}_amd64.s
//	done
//
// What all kernels do is described in the package comment of bitvec; the
// layouts that they read (step, run, blocks of a Matrix) are defined there in
// planes.go and matrix.go. The functions are declared, with their Go types, in
// kernel_amd64.go.
package main

import (
	"flag"
	"log"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Layout of step and run in planes.go.
const (
	stepMask, stepWeight, stepOff, stepSize = 0, 8, 16, 24
	runSteps, runWeight, runSize            = 0, 8, 16
)

const lanes = 8

func main() {
	kernel := flag.String("kernel", "", "avx2, avx512, bins, columns, counters, splits or thirds")
	flag.Parse()
	ConstraintExpr("!purego")
	write := kernels[*kernel]
	if write == nil {
		log.Fatalf("no kernel %q", *kernel)
	}
	write()
	Generate()
}

// kernels are what -kernel names.
var kernels = map[string]func(){
	"avx2": func() { nibbleKernels(narrow()) }, "avx512": avx512,
	"bins": bins, "columns": columnKernels, "counters": counters, "hash": hash, "splits": splitsKernels, "thirds": thirds,
}

// function begins a function that does not grow the stack.
func function(name, signature, doc string) {
	TEXT(name, NOSPLIT, signature)
	Doc(doc)
}

func load(param string) GPVirtual { return Load(Param(param), GP64()).(GPVirtual) }

// param returns where a parameter is.
func param(name string) Mem {
	c, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return c.Addr
}

// zero returns a register of 0.
func zero() GPVirtual {
	r := GP64()
	XORQ(r, r)
	return r
}

// finish ends a function that has used vectors.
func finish() {
	VZEROUPPER()
	RET()
}

func copyOf(r GPVirtual) GPVirtual {
	c := GP64()
	MOVQ(r, c)
	return c
}

func at(base Register, disp int) Mem { return Mem{Base: base, Disp: disp} }

func indexed(base, index Register, scale uint8) Mem {
	return Mem{Base: base, Index: index, Scale: scale}
}

// eachClass writes code that counts class 1, then class 0: what count makes of a number of
// steps or runs, which it may change, for the sums in g1. The steps of class 0 follow
// those of class 1. Before class 0, g1 and g0 change places.
func eachClass(name, counted string, g1, g0 GPVirtual, count func(p, n GPVirtual)) {
	p, n, classes := load("steps"), load(counted+"1"), GP64()
	MOVQ(U64(2), classes)
	Label(name + "class")
	count(p, n)
	XCHGQ(g1, g0)
	Load(Param(counted+"0"), n)
	DECQ(classes)
	JNZ(LabelRef(name + "class"))
}
