package cases

import "time"

// Until asks again and again until something is so. No test has a limit of time of its own: one
// that waits in vain is ended by the limit of "go test".
func Until(so func() bool) {
	for !so() {
		time.Sleep(time.Millisecond)
	}
}
