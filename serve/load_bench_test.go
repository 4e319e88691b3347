package serve

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"parcorels/family"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/report"
)

// BenchmarkFirstPage is the page of tables and runs, with a hundred runs.
func BenchmarkFirstPage(b *testing.B) {
	c := begin(b, Options{Folder: b.TempDir()})
	for i := range 100 {
		r := &run{id: fmt.Sprintf("2026-%03d", i), s: c.s, state: done, end: &ended{Error: "made"}}
		c.s.queue.runs.Store(r.id, r)
	}
	for b.Loop() {
		c.fetch(b, "/")
	}
}

// BenchmarkTablePage is how a table of 100,000 rows and 50 columns is shown once it was read.
func BenchmarkTablePage(b *testing.B) {
	c := begin(b, Options{Folder: b.TempDir()})
	random := rand.New(rand.NewPCG(1, 2))
	var t strings.Builder
	for i := range 49 {
		fmt.Fprintf(&t, "c%d,", i)
	}
	t.WriteString("y\n")
	for range 100_000 {
		for i := range 49 {
			switch i % 3 {
			case 0:
				fmt.Fprintf(&t, "%d,", random.IntN(100))
			case 1:
				fmt.Fprintf(&t, "%c,", 'a'+random.IntN(4))
			default:
				fmt.Fprintf(&t, "%.3f,", random.Float64())
			}
		}
		fmt.Fprintf(&t, "%d\n", random.IntN(2))
	}
	if _, err := c.s.tables.add("wide.csv", strings.NewReader(t.String())); err != nil {
		b.Fatal(err)
	}
	c.fetch(b, "/tables/wide.csv/columns")
	for b.Loop() {
		c.fetch(b, "/tables/wide.csv/columns")
	}
}

// BenchmarkFollowers reports what following a search costs the program, in thousandths of a
// core: with so many clients, each of which gets four frames a second.
func BenchmarkFollowers(b *testing.B) {
	for _, clients := range []int{0, 1, 50} {
		b.Run(fmt.Sprint(clients), func(b *testing.B) {
			for b.Loop() {
				c, p, _ := childOf(b, b.TempDir(), "PARCORELS_SERVE_EVENTS=yes")
				ctx, cancel := context.WithTimeout(b.Context(), 10*time.Second)
				var following sync.WaitGroup
				frames := make([]int, clients)
				for i := range clients {
					following.Go(func() {
						r, _ := http.NewRequestWithContext(ctx, "GET", c.at+"/runs/made/events", nil)
						answer, err := c.http.Do(r)
						if err != nil {
							return
						}
						defer answer.Body.Close()
						text, _ := io.ReadAll(answer.Body)
						frames[i] = strings.Count(string(text), "event: look")
					})
				}
				<-ctx.Done()
				following.Wait()
				cancel()
				_ = p.Process.Kill()
				state, _ := p.Process.Wait()
				b.ReportMetric(float64((state.UserTime()+state.SystemTime()).Milliseconds())/10, "mcores")
				if clients > 0 {
					b.ReportMetric(float64(frames[0])/10, "frames/s")
				}
			}
		})
	}
}

// shown is a model of which no more is known than its text.
type shown string

func (s shown) Text(int) string { return string(s) }

// serveEvents serves a run that tells of a search and searches nothing.
func serveEvents(s *Server, l net.Listener) {
	r := &run{id: "made", s: s, state: searching, asked: question{Table: "made.csv"}}
	s.queue.runs.Store(r.id, r)
	_ = os.MkdirAll(r.path(""), 0o700)
	for i := range mostLooks - 1 { // as after ten minutes
		r.add(look{Look: report.Look{Seconds: float64(i), Objective: .3, Bound: new(float64), Length: 5}})
	}
	r.earlier = mostLooks
	go func() {
		for i := 0; ; i++ {
			e := family.Event{Progress: parallel.Progress{Elapsed: time.Duration(i) * lookEvery, Nodes: int64(i), Open: 1000, Length: 5,
				Value: .3, Bound: .2 + float64(i)/1e5, Gap: .3, Bytes: 1 << 30}, Family: model.RuleList}
			if i%100 == 0 {
				e.Best = func() (family.Shown, error) {
					return shown(strings.Repeat("else if age > 40 and priors > 3 then yes\n", 20)), nil
				}
			}
			r.onEvent(e)
			time.Sleep(lookEvery)
		}
	}()
	panic(s.Serve(context.Background(), l))
}

// fetch asks for a page without looking at it.
func (c *client) fetch(b *testing.B, path string) {
	answer, err := c.http.Get(c.at + path)
	if err != nil {
		b.Fatal(err)
	}
	defer answer.Body.Close()
	if n, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK || n < 500 {
		b.Fatalf("%s: %s, %d bytes, %v", path, answer.Status, n, err)
	}
}
