package numeric

import (
	"sync"
	"sync/atomic"
	"time"

	"parcorels/bitvec"
	"parcorels/parallel"
	"parcorels/tree/price"
)

// The types that all files of this package share. A search goes through stages, by levels. A stage has a node for each set
// that is being solved, with a heap of intervals of places. A set with two levels left has a twoLevel: its base, its
// histograms, and a sweep over places.

// search is one call of Solve: what all workers share.
type search struct {
	price.Prices
	o       Options
	start   time.Time
	table   *Table
	plain   bool         // each item weighs 1
	serial  atomic.Int64 // of the last node
	root    set
	whole   *base     // of all items; nil: no column parts them
	workers []*worker // the first one made whole; nil until they begin
	run     *parallel.Run
	sets    atomic.Int64

	busy atomic.Int64 // workers that have not ended

	proofErr                 error
	proofBytes, proofRecords int64

	mutex   sync.Mutex // of what follows
	stage   *stage     // nil: all is settled
	value   int64      // of tree
	tree    Tree
	settled bool // no tree is better
	steps   []Step
	told    int64 // value of the last tree that was told
}

// worker searches with memory of its own.
type worker struct {
	*search
	index   int
	number  []int32 // of the items of a set that is split, behind that
	two     *twoLevel
	choices [2]choice // of the sides of a place with two levels
	nodes   []*node
	splits  []*sides   // by levels: the sides of the node of so many
	spare   *[2]firsts // that nobody has; nil for none
	_       [64]byte
}

// twoLevel is the memory of a worker for sets with two levels left.
type twoLevel struct {
	*worker
	*base
	common     *bestOfTwo // of all workers; nil unless they share the set
	own        *base      // of a set that is no other worker's
	serial     int64      // of the node whose set it is
	used       []int32    // lanes of columns, as they are swept
	histograms            // of what

	member  []int8 // by number: −1 if it is in the view
	sidesOf [2]view
	shown   int // side that member tells from the other
	of      view

	maxBins, maxCells int
	hints             [2]split // of both sides: what is tried first
	best              split    // what was best in the last view
	firsts            []int64  // by column and cell: lower bound of trees that split there first
	least             []int64  // by column: the least of those

	knownLeft, knownRight []int64

	rounds, roughly bool // whether there are rough bounds, and those are enough

	// A sweep.
	open       []bin
	order      []entry // items of the view in the order of the first column
	positioned bool    // items know their positions in it
	places     []int32
	weights    []int64 // in front of each place, unless each item weighs 1
	moved      int     // items on the left
	counts     []int64 // weight on the left by class
	sides      [2]side
	pairs      []pair // that have bounds
	budget     int64
	near       near
	low        int64   // lower bound of the trees of all places between two
	starts     []int   // by cell: the first place in it or behind; and the end
	lows       []int64 // by cell: lower bound of the trees of its places
	found      choice
	whole      int64 // lower bound of the whole view as a stump or a leaf
}

// base is what is made of a set. The search only reads it, so that workers share that of the root.
type base struct {
	set       *set
	n         int      // its items
	columns   []column // those that part the set, by lane; lane.at < 0 fills a group up
	inOrder   []int32  // lanes of columns, in the order of the table
	groups    []group
	exact     []bool   // by lane: of its group
	rows      []uint16 // by item, len(inOrder) each: where it counts in a histogram
	cells     int      // of a histogram
	made      []column
	mostBins  int
	cellCount int // of each column
}

// column is a column of the set.
type column struct {
	at     int // index in the table
	lane   int
	cell   int     // in a histogram: of its first bin
	rows   int     // bins in its lane; those behind are in the one half of the lanes further
	row    int     // index in the rows of items
	ends   []int32 // of each bin, in items
	useful []int8  // by item: −1 if a useful boundary, or nothing, is behind it, else 0
	exact  bool
	cells  []int32 // the first rank of each
	list   []entry // of the set
	memory []int8  // of useful
}

// group is up to lanes columns of about as many bins. If half of the lanes do, each column has the
// second half of its bins in a second lane.
type group struct {
	base    int // in a histogram: bin b of lane l is at base + b·lanes + l
	rows    int // of lanes: bins of a lane
	columns int
	halves  bool
	exact   bool // every bin has one block
	first   int  // lane of its first column, among those of all groups
}

// side is what is known of one side at a place.
type side struct {
	most   int64   // weight of its heaviest class
	weight int64   // of it
	pairs  []int64 // by pair and lane: no stump of those classes on the column gets more weight right
	right  []int64 // by lane: no stump on the column gets more weight right
	exact  []bool  // by lane: and one does
	hint   int     // lane that was best
	floor  int64   // a stump gets as much right, or a leaf is no worse
}

// end is a place with lower bounds of both sides.
type end struct {
	place       int
	left, right int64
	firsts      *[2]firsts // of both sides; nil if nothing is known
}

// node is a set that is being solved, by all workers at the root and by one elsewhere.
type node struct {
	set     *set
	serial  int64 // no other node has it
	levels  int
	upper   int64 // a tree of a smaller value is looked for
	heap    intervals
	places  [][]int32 // by column
	weights [][]int64
	best    choice // of a tree of value upper, if one was found
	found   bool

	// See outline.go.
	floors   [][]end    // by column: nil but below other nodes
	pieces   [][2]int   // see survey: first and last places
	outline  outline    // nil at the root
	searched []searched // of four levels and more

	*shared // nil but at the root
}

// interval is the places of a column between two.
type interval struct {
	column int
	a, b   end
	bound  int64
}

// intervals are a heap, the one of the smallest bound in front, of equal ones that of the first column.
type intervals []interval

func (h intervals) Len() int { return len(h) }
func (h intervals) Less(i, k int) bool {
	return h[i].bound < h[k].bound || h[i].bound == h[k].bound && h[i].column < h[k].column
}
func (h intervals) Swap(i, k int) { h[i], h[k] = h[k], h[i] }
func (h *intervals) Push(v any)   { *h = append(*h, v.(interval)) }
func (h *intervals) Pop() any {
	last := len(*h) - 1
	v := (*h)[last]
	*h = (*h)[:last]
	return v
}

// shared is what workers need to solve one node together.
type shared struct {
	sync.Mutex
	wake   sync.Cond
	busy   int
	open   []int64 // by worker: the bound of what it looks at
	looked [][]end // by column: places that were looked at
}

// outline is what was found out about the places of a set, by column. It is nil for nothing.
type outline [][]outlined

// outlined is a place: the rank behind it, and the weight and a bound of each side.
type outlined struct {
	rank           int32
	weight, bounds [2]int64
}

// searched is a place of a node, and what is known of its sides.
type searched struct {
	split
	sides [2]outline
}

// view is the whole of the set that was made ready, or one side of a place of it. Its items keep
// the numbers, rows and bins that they have in the set. Bins are as good for it: between ranks of
// its items is a useful boundary of the set, where they have a useful one themselves.
type view struct {
	classes []int64 // weight by class
	weight  int64
	items   int
}

// histograms counts weights by bin and column, and by class, of all items and of those on the left
// side. Those of small weights are of 32 bits, which vectors take.
type histograms interface {
	// weigh readies them for the items of a set, and countAll counts those.
	weigh()
	countAll(list []entry)
	// countSide counts the items on one side of a place, and in counts. The rest is the other
	// side. Show takes one of them as all items; −1: those of the set.
	countSide(list []entry, side int)
	showSide(side int)
	// fill has all items on the left, clear none.
	fill()
	clear()
	// count counts items more on the left or, with sign −1, fewer; and in
	// counts.
	count(list []entry, sign int)
	// boundPair is described in set.go, walkPair in refine.go. Detail says of the sides what pairs say of
	// each lane.
	boundPair(a, b int) (left, right int64)
	detail()
	position()
	beginCloseUp(from, to int)
	magnify(side int, floor int64)
	walkStrips(items int)
	walkPair(lane, pair int, isRight int32, floor int64) int64
}

// weight is a number that holds the weights of all items together.
type weight interface{ bitvec.BinWeight }

// tallied is weights by class and cell.
type tallied[W weight] struct {
	cells  []W
	stride int
	of     [][]W // by class, in cells
}

// closeUp is strips in memory that is used again.
type closeUp[W weight] struct {
	strips   []strip[W]
	steps    []step[W]
	from, to W // positions of the few
	run      run[W]
	far      W // no sum is larger, nor one less
}

// near says where a close-up is.
type near struct {
	level  int      // 0: none
	a, b   int      // places
	floors [2]int64 // what a stump gets right on the larger side, of b and of a; or a leaf is no worse
	moved  int      // items on the left
	counts []int64  // their weight by class
	best   [2]int64 // what stumps on both sides get right

	walked, look, closeUp int64 // items of the last one, and means of late
}

// run is neighbouring items of a column that stay on their side: the weight of one class of a
// pair less that of the other, and the largest and the smallest such sum at a useful boundary.
type run[W weight] struct{ highest, lowest, sum W }

// step is a run, and one of the few behind it.
type step[W weight] struct {
	run[W]
	few    W // its position in the order of the sweep
	weight W // of it, with the sign of its class
}

// strip is what stumps on a column get right, on one side, that say a pair of classes.
type strip[W weight] struct {
	side  int
	pair  pair
	steps []step[W]
}

// bestOfTwo is the best tree of two levels that was found. Workers tell it at once, as each that looks for
// worse trees meanwhile does so in vain. It is made of its first split when all have ended.
type bestOfTwo struct {
	value atomic.Int64
	mutex sync.Mutex // of what follows
	choice
}

// stage is the search for trees with so many levels.
type stage struct {
	levels int
	node   node // of three levels and more
	shared shared

	// With two levels, workers take a column each.
	columns int // taken
	busy    int
	two     bestOfTwo
}

// lanes is how many columns a scan does side by side.
const lanes = bitvec.BinLanes

// rootSerial is the serial number of nodes of all items, 0 that of none.
const rootSerial = -1

// mostCells is how many cells of a histogram a row of 16 bits can name, and mostColumns how many
// columns have two bins each then.
const mostCells = 1 << 16
const MostColumns = mostCells/2 - 2*lanes
