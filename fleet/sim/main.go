// Sim simulates fleets that are larger than what was measured: a discrete-event simulation of
// the rules of package fleet, fed by measured costs. It prints the table of docs/fleet.md, and
// with a file as its argument draws it.
//
// The model. A block has work, in core seconds, and open prefixes in proportion. A part that is
// given away has a share of the prefixes by count, and of the work by chance: shares are
// exponential, as some ranges of prefixes hold far more work than others. Each division adds to
// the work what both sides expand twice. A worker stands still while it gives, one that gets
// restores. Machines fail at random, and come back; their block waits for another worker, and
// what was done since the last save is lost.
package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
)

// Costs in seconds, measured on one core.
const (
	prepare     = 1.0    // the root's linear program, by the first machine
	join        = 0.2    // columns and automorphisms
	perByte     = 1.3e-8 // to store, synced
	bytes       = 7.0    // of a prefix
	perRestore  = 0.6e-6 // a prefix
	perGive     = 0.4e-6 // a prefix that is given, to look for it and to write it
	perSave     = 0.1e-6 // a prefix
	trips       = 6      // messages of a gift, one after another
	giveAfter   = 2.0    // of a search of the block, less among few workers
	leastPart   = 5000
	largeGift   = 4 << 20
	partOfLarge = 0.25
	mostParts   = 16
	mostOpen    = 64e9 / 85 // of a block: what has room in a machine
	ackWait     = 30.0
	saveEvery   = 60.0
	mostTaken   = 10
	duplicates  = 0.02 // of the work that is divided, for each doubling of its blocks
	cores       = 16
	meanLife    = 24 * 3600.0 // of a machine
	repair      = 300.0
)

// instance is a search of a hundred core hours, whose open prefixes for a core second of work
// left are those of a measured one.
type instance struct {
	name      string
	perSecond float64 // open prefixes for a core second of work left, at most
	growth    float64 // open prefixes that a core second makes, at first
}

const work = 100 * 3600 // core seconds

var instances = []instance{{"as hmda .0055", 7000, 75000}, {"as mroz .0058", 69000, 280000}, {"as mroz .0056", 250000, 280000}}

type block struct {
	work  float64
	open  float64 // prefixes, when it began
	began float64
	taken float64 // when its machine took it
	gives float64 // not before that
	speed float64 // core seconds a second, while it is saved now and then
	every float64 // from one save to the next
}

type event struct {
	at   float64
	kind int
	who  int
	turn int // of the machine: older events are void
}

const (
	free  = iota // a machine wants work
	done         // its block is searched
	fails        // it fails
	offer        // the coordinator looks for who gives
	again        // the block of a machine that failed may be taken
)

type fleet struct {
	in       instance
	latency  float64
	rng      *rand.Rand
	queue    []event  // the next one last
	machines []*block // what each searches; nil: nothing
	turns    []int
	hungry   map[int]bool
	waiting  []*block
	open     int
}

func (f *fleet) after(at float64, kind, who int) {
	i, _ := slices.BinarySearchFunc(f.queue, at, func(e event, at float64) int { return cmp.Compare(at, e.at) })
	f.queue = slices.Insert(f.queue, i, event{at, kind, who, f.turns[who]})
}

// left returns the work that a block has left, and its prefixes.
func (f *fleet) left(b *block, now float64) (work, prefixes float64) {
	work = math.Max(0, b.work-math.Max(0, now-b.began)*b.speed)
	prefixes = b.open + math.Max(0, now-b.began)*b.speed*f.in.growth
	return work, math.Max(1, math.Min(prefixes, math.Min(work*f.in.perSecond, mostOpen)))
}

// patience is how long a block is searched before the coordinator asks for a part, among so many
// machines (fleet.Gifts). It asks as often as twice in that time.
func (f *fleet) patience() float64 {
	return giveAfter / 4 * float64(max(1, min(len(f.machines)-1, 4)))
}

// begin lets a machine search a block.
func (f *fleet) begin(now float64, who int, b *block) {
	delete(f.hungry, who)
	_, prefixes := f.left(b, b.began)
	b.open = prefixes
	b.taken, b.gives = now, now+giveAfter/4
	b.began = now + 4*f.latency + prefixes*(perRestore+bytes*perByte)
	f.pace(b)
	f.machines[who] = b
	f.turns[who]++
	f.after(b.began+b.work/b.speed, done, who)
	f.after(now+f.rng.ExpFloat64()*meanLife, fails, who)
}

// pace says how fast a block is searched that is saved now and then.
func (f *fleet) pace(b *block) {
	_, prefixes := f.left(b, b.began)
	took := prefixes * (perSave + bytes*perByte)
	b.every = math.Max(saveEvery, mostTaken*took)
	b.speed = cores * b.every / (b.every + took)
}

func (f *fleet) run() float64 {
	for who := range f.machines {
		f.after(prepare+join, free, who)
	}
	f.waiting = []*block{{work: work}}
	f.open = 1
	f.after(f.patience()/2, offer, 0)
	for {
		e := f.queue[len(f.queue)-1]
		f.queue = f.queue[:len(f.queue)-1]
		now := e.at
		if e.kind != offer && e.kind != again && e.turn != f.turns[e.who] {
			continue
		}
		switch e.kind {
		case free:
			f.hungry[e.who] = true
			f.hand(now)
		case done:
			f.machines[e.who] = nil
			f.turns[e.who]++
			if f.open--; f.open == 0 {
				return now + trips*f.latency
			}
			f.hungry[e.who] = true
			f.hand(now + 2*f.latency)
		case fails:
			b := f.machines[e.who]
			work, prefixes := f.left(b, now-b.every/2) // what was saved, half of the time ago on average
			f.machines[e.who] = nil
			f.turns[e.who]++
			b.work, b.open, b.began = work, prefixes, now
			f.waiting = append(f.waiting, b)
			f.after(now+ackWait, again, e.who)
			f.after(now+repair+join, free, e.who)
		case again:
			f.hand(now)
		case offer:
			f.divide(now)
			f.after(now+f.patience()/2, offer, 0)
		}
	}
}

// hand gives blocks that wait to machines that do.
func (f *fleet) hand(now float64) {
	for who := range f.machines {
		if len(f.waiting) == 0 {
			return
		}
		if f.hungry[who] {
			b := f.waiting[0]
			f.waiting = f.waiting[1:]
			f.begin(now, who, b)
		}
	}
}

// divide lets the machines with most open prefixes give parts to those that are hungry, each to
// some of them.
func (f *fleet) divide(now float64) {
	hungry := len(f.hungry) - len(f.waiting)
	if hungry <= 0 {
		return
	}
	var givers []int
	for who, b := range f.machines {
		if b != nil && now >= b.began && now >= b.gives && now-b.taken >= f.patience() {
			givers = append(givers, who)
		}
	}
	open := func(who int) float64 {
		_, prefixes := f.left(f.machines[who], now)
		return prefixes
	}
	slices.SortFunc(givers, func(a, b int) int { return cmp.Compare(open(b), open(a)) })
	for i, who := range givers {
		if hungry <= 0 {
			return
		}
		hungry -= f.give(now, who, min(hungry, max(mostParts, hungry/(len(givers)-i))))
	}
}

// give lets a machine give parts away, and returns how many.
func (f *fleet) give(now float64, giver, hungry int) int {
	b := f.machines[giver]
	work, most := f.left(b, now)
	parts := min(hungry, int(most/leastPart)-1)
	if parts < 1 {
		return 0
	}
	share := math.Min(float64(parts)/float64(parts+1), math.Max(largeGift/most, partOfLarge)) // of the prefixes
	work *= 1 + duplicates*share*math.Log2(float64(parts+1))
	shares := []float64{(1 - share) * f.rng.ExpFloat64()}
	if share < 0.5 {
		shares[0] = 1 - share // a small part says little of the rest
	}
	sum := shares[0]
	for range parts {
		s := share / float64(parts) * f.rng.ExpFloat64()
		shares = append(shares, s)
		sum += s
	}
	still := now + trips*f.latency + share*most*(perGive+bytes*perByte)
	b.work, b.open, b.began, b.gives = work*shares[0]/sum, most*(1-share), still, still+math.Max(giveAfter/4, (still-now)/float64(parts))
	f.pace(b)
	f.turns[giver]++
	f.after(still+b.work/b.speed, done, giver)
	f.after(still+f.rng.ExpFloat64()*meanLife, fails, giver)
	for _, s := range shares[1:] {
		f.open++
		f.waiting = append(f.waiting, &block{work: work * s / sum, open: most * share / float64(parts), began: still})
	}
	f.hand(still)
	return parts
}

// speed returns how many times faster than one machine so many are, on average.
func speed(in instance, machines int, latency float64) float64 {
	const runs = 4
	total := 0.0
	for seed := range uint64(runs) {
		f := &fleet{
			in: in, latency: latency, rng: rand.New(rand.NewPCG(seed, 1)), machines: make([]*block, machines),
			turns: make([]int, machines), hungry: map[int]bool{},
		}
		total += f.run()
	}
	return (work/cores + prepare + join) * runs / total
}

var (
	counts    = []int{1, 4, 16, 64, 256, 1000}
	latencies = []float64{0.0001, 0.005, 0.05}
)

func main() {
	fmt.Print("| search | latency |")
	for _, n := range counts {
		fmt.Printf(" %d |", n)
	}
	fmt.Printf("\n|---|---|%s\n", strings.Repeat("---|", len(counts)))
	var b strings.Builder
	fmt.Fprint(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400" font-family="sans-serif" font-size="13">`+"\n"+`<rect width="640" height="400" fill="white"/>`+"\n")
	x := func(n float64) float64 { return 60 + 440*math.Log(n)/math.Log(1000) }
	y := func(v float64) float64 { return 350 - 320*math.Log(math.Max(v, 1))/math.Log(1000) }
	for _, n := range counts {
		fmt.Fprintf(&b, `<text x="%.0f" y="370" text-anchor="middle">%d</text><text x="50" y="%.0f" text-anchor="end">%d</text>`+"\n", x(float64(n)), n, y(float64(n))+4, n)
	}
	fmt.Fprintf(&b, `<text x="280" y="392" text-anchor="middle">machines of %d cores (simulated)</text><text x="60" y="20">times as fast as one machine</text>`+"\n", cores)
	fmt.Fprintf(&b, `<path d="M60,350 L500,30" stroke="#bbb" fill="none"/><path d="M60,30 V350 H500" stroke="black" fill="none"/>`+"\n")
	for i, in := range instances {
		color := []string{"#4477aa", "#ee6677", "#228833"}[i]
		for j, latency := range latencies {
			fmt.Printf("| %s | %.1f ms |", in.name, 1000*latency)
			var path []string
			last := 0.0
			for _, n := range counts {
				last = speed(in, n, latency)
				fmt.Printf(" %.1f |", last)
				path = append(path, fmt.Sprintf("%.1f,%.1f", x(float64(n)), y(last)))
			}
			fmt.Println()
			fmt.Fprintf(&b, `<path d="M%s" stroke="%s" fill="none" stroke-width="2" stroke-dasharray="%s"/>`+"\n", strings.Join(path, " L"), color, []string{"none", "6 3", "2 3"}[j])
			if j == 0 {
				fmt.Fprintf(&b, `<text x="505" y="%.0f" fill="%s">%s</text>`+"\n", y(last)+4, color, in.name)
			}
		}
	}
	fmt.Fprint(&b, "</svg>\n")
	if len(os.Args) > 1 {
		if err := os.WriteFile(os.Args[1], []byte(b.String()), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
