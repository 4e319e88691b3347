package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"parcorels/bitvec"
	"parcorels/internal/membw"
)

// Measurements of parts. They are cases whose instance is the name of what is
// measured, so that each runs in a process of its own.

const (
	countMeasure = "count"
	readMeasure  = "read"
)

// measurement is one of them.
type measurement struct {
	ready func() error // ErrAbsent if it lacks something
	run   func(ctx context.Context) (Outcome, error)
}

// measures are the measurements by name.
var measures = allMeasures()

func allMeasures() map[string]measurement {
	always := func() error { return nil }
	all := map[string]measurement{
		countMeasure: {always, func(context.Context) (Outcome, error) { return measureCount(), nil }},
		readMeasure:  {always, func(context.Context) (Outcome, error) { return measureRead(), nil }},
	}
	for name := range goBenchmarks {
		all[name] = measurement{haveSources, func(ctx context.Context) (Outcome, error) { return runGoBenchmark(ctx, name) }}
	}
	return all
}

// kernelWords are the sizes of real instances (2 haberman, 4 compas, 28 cars,
// 165 stop-and-frisk) and beyond the caches.
var kernelWords = []int{2, 4, 8, 28, 165, 1000, 10000}

const (
	kernelColumns = 160
	kernelSets    = 16 // other sets in turn, so that branch predictors see what a search shows them
)

// measureCount counts all columns of a node in sets of points of several
// sizes. The bytes are those of the block words that the kernel reads.
func measureCount() Outcome {
	out := Outcome{Status: Done, Active: bitvec.Kernel()}
	hertz := cyclesPerSecond()
	for _, words := range kernelWords {
		planes, matrix := kernelSpace(words)
		sets := randomSets(words)
		n := matrix.Blocks() * bitvec.Lanes
		g1, g0 := make([]int64, n), make([]int64, n)
		var prog bitvec.Program
		i := 0
		seconds := secondsPer(func() {
			planes.Compile(&prog, sets[i%kernelSets])
			matrix.Count(&prog, 0, matrix.Blocks(), g1, g0)
			i++
		})
		out.throughput(words, float64(planes.PlaneWords())*64*float64(matrix.Blocks()), seconds, hertz)
	}
	return out
}

// measureRead reads memory of the same sizes: the limit of the machine.
func measureRead() Outcome {
	out := Outcome{Status: Done, Active: "read"}
	hertz := cyclesPerSecond()
	for _, words := range kernelWords {
		data := make([]uint64, words*kernelColumns)
		for i := range data {
			data[i] = uint64(i)
		}
		seconds := secondsPer(func() { membw.Read(data) })
		out.throughput(words, float64(8*len(data)), seconds, hertz)
	}
	return out
}

func (o *Outcome) throughput(words int, bytes, seconds, hertz float64) {
	o.Measures = append(o.Measures,
		Measure{Name: "throughput", Size: words, Value: bytes / seconds / 1e9, Unit: "GB/s"},
		Measure{Name: "throughput", Size: words, Value: bytes / seconds / hertz, Unit: "bytes/cycle"})
}

// kernelSpace has costs as real instances do: a heavy head, a long tail of 1.
func kernelSpace(words int) (*bitvec.Planes, *bitvec.Matrix) {
	r := rand.New(rand.NewPCG(1, uint64(words)))
	words1 := (words + 1) / 2
	costs := make([]int64, words*64)
	for class, from := range []int{0, words1} {
		points := []int{words1, words - words1}[class] * 64
		for i := range points {
			costs[from*64+i] = max(1, 100/(1+int64(i)*100/int64(max(points, 300))))
		}
	}
	matrix := bitvec.NewMatrix(kernelColumns, words)
	column := make([]uint64, words)
	for i := range kernelColumns {
		for w := range column {
			column[w] = r.Uint64() & r.Uint64()
		}
		matrix.Set(i, column)
	}
	return bitvec.NewPlanes(costs, words1), matrix
}

func randomSets(words int) (sets [][]uint64) {
	r := rand.New(rand.NewPCG(7, 7))
	for range kernelSets {
		u := make([]uint64, words)
		for w := range u {
			u[w] = r.Uint64() | r.Uint64()
		}
		sets = append(sets, u)
	}
	return sets
}

const (
	batch   = 10 * time.Millisecond
	batches = 9
)

// secondsPer returns the least time of a call over several batches of calls:
// what disturbs a call only ever makes it longer.
func secondsPer(f func()) float64 {
	n, least := 1, time.Duration(0)
	for {
		least = timed(n, f)
		if least >= batch {
			break
		}
		n *= 2
	}
	for range batches - 1 {
		least = min(least, timed(n, f))
	}
	return least.Seconds() / float64(n)
}

func timed(n int, f func()) time.Duration {
	start := time.Now()
	for range n {
		f()
	}
	return time.Since(start)
}

// cyclesPerSecond estimates the clock of the core from a chain of operations
// each of which waits for the one before: three shifts and three exclusive ors
// take six cycles on the processors of the last twenty years.
func cyclesPerSecond() float64 {
	const steps = 1 << 16
	x := uint64(88172645463325252)
	seconds := secondsPer(func() {
		y := x
		for range steps {
			y ^= y << 13
			y ^= y >> 7
			y ^= y << 17
		}
		x = y
	})
	if x == 0 {
		panic(fmt.Sprint("a xorshift never reaches ", x))
	}
	return 6 * steps / seconds
}
