package membw

import "testing"

func TestRead(t *testing.T) {
	for _, n := range []int{0, 1, 5, 31, 32, 33, 100} {
		data := make([]uint64, n)
		for _, x := range []uint64{0, 1 << 40} {
			for i := range data {
				data[i] = x
			}
			want := x
			if n == 0 {
				want = 0
			}
			if got := Read(data); got != want {
				t.Errorf("%d words of %x: %x", n, x, got)
			}
		}
	}
}
