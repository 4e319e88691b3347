package instance

import (
	"runtime"
)

// workSamples is how many samples are worth a worker.
const workSamples = 1 << 12

// workersFor returns how many workers share the work of so many samples.
func workersFor(samples int) int {
	return max(1, min(runtime.GOMAXPROCS(0), samples/workSamples))
}
