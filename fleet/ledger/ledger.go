// Package ledger says which blocks of a search are done, from a log of events.
//
// A block is a set of open prefixes (parcorels/rulelist/search, part.go). It has a version: its
// first one, or the last event that counted. A worker searches a version. Its events say
//
//	saved   of the version Base this is left
//	given   of the version Base these parts are blocks of their own
//	done    of the version Base nothing is left
//
// An event counts if its block is open and has the version that the event names. So of two
// workers that search the same version, one is first. The other one later speaks
// about a version that no longer exists. A worker that gives a part away does not write
// what it keeps: the content stays. A worker that begins with it leaves out what was given
// since.
//
// # Invariants
//
// Call a prefix covered by a version if it is in its content or begins with one that is, and is not
// in a part that was given since, nor begins with one that is.
//
//  1. Each prefix that the first version of the root's block covers, which is every prefix, is
//     covered by the version of an open block, or was examined in a search whose event counted,
//     or is no beginning of the smallest list.
//     For an event that replaces content says what became of all that the version covered, and one that
//     gives makes parts that cover what the version does not any more.
//  2. A block has one version. Blocks only come into being, open, by an event that counts, and
//     each name comes once. A block that is done stays done.
//  3. The state is a function of the log: a second fold has the same one.
//  4. So if no block is open, the smallest of the lists of events that counted is the smallest of
//     all: what was pruned was pruned by a list that is no smaller than that of the event.
//
// Whether messages are lost, doubled or late elsewhere does not matter: a queue that is empty
// proves nothing, and an event that is not in the log has not happened.
package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Root is the name of the first block, and of its first version.
const Root = "root"

// Object is what an event refers to, by its digest.
type Object struct {
	Name   string `json:"name"`
	Digest string `json:"digest"` // SHA-256, as hex
	Size   int64  `json:"size"`
}

// Part is a block that is given away.
type Part struct {
	Block    string `json:"block"`
	Content  Object `json:"content"`
	Prefixes int    `json:"prefixes"`
}

// Event is what a worker says of a block.
type Event struct {
	ID     string `json:"id"` // the version that it makes
	Block  string `json:"block"`
	Base   string `json:"base"` // the version that was searched
	Worker string `json:"worker"`
	Done   bool   `json:"done"`

	Content *Object `json:"content,omitempty"` // saved: what is left
	Parts   []Part  `json:"parts,omitempty"`   // given

	Proof   *Object `json:"proof,omitempty"` // records since the event before
	Records int64   `json:"records,omitempty"`

	List      []int `json:"list"` // the smallest list that pruned
	Objective int64 `json:"objective"`
	Bound     int64 `json:"bound"`    // of all lists of the block
	Expanded  int64 `json:"expanded"` // prefixes of the block in all
}

// Block is a block as the ledger knows it.
type Block struct {
	Name     string
	Version  string
	Content  *Object  // nil: the root
	Given    []Object // parts of the content that are blocks of their own
	Done     bool
	Prefixes int    // in its content, as far as known
	Sequence uint64 // of the last event about it in the log, counted or not
	Expanded int64
	Bound    int64
	Pieces   []Piece
}

// Piece is a piece of a proof.
type Piece struct {
	Object  Object
	Records int64
}

// Ledger is the state that a log of events leads to.
type Ledger struct {
	// Check reports what is wrong with an event by itself: a list that is none or has another
	// objective. It depends on the event alone.
	Check func(*Event) error

	// Drop is told the names of objects that nobody needs any more; nil: nobody is.
	Drop func(object string)

	Blocks    map[string]*Block
	List      []int // the smallest list of events that counted; with Objective, if Any
	Objective int64
	Any       bool
	Refused   map[string]int // events that do not count, by worker
	order     []string
	open      int
	held      map[string]int // how many blocks refer to an object
}

// Reasons why an event does not count.
var (
	ErrUnknown = errors.New("no such block")
	ErrLate    = errors.New("another event about this version came first")
	ErrTwice   = errors.New("it was counted before")
	ErrFalse   = errors.New("it says what is not so")
)

// New returns the ledger of an empty log, without a block.
func New(check func(*Event) error) *Ledger {
	return &Ledger{Check: check, Blocks: map[string]*Block{}, Refused: map[string]int{}, held: map[string]int{}}
}

// Add adds the first version of a block that no event has made: the root, or a task.
func (l *Ledger) Add(name string) { l.add(&Block{Name: name, Version: name, Prefixes: 1}) }

func (l *Ledger) add(b *Block) {
	l.Blocks[b.Name] = b
	l.order = append(l.order, b.Name)
	l.open++
}

// Apply folds the next event of the log. An error says why it does not count.
func (l *Ledger) Apply(sequence uint64, e *Event) error {
	b := l.Blocks[e.Block]
	if b == nil {
		l.Refused[e.Worker]++
		return fmt.Errorf("%w: %q", ErrUnknown, e.Block)
	}
	b.Sequence = max(b.Sequence, sequence)
	switch {
	case e.ID == b.Version:
		return ErrTwice
	case b.Done || e.Base != b.Version:
		return ErrLate
	}
	if err := l.wrong(e); err != nil {
		l.Refused[e.Worker]++
		return fmt.Errorf("%w: %w", ErrFalse, err)
	}
	b.Version, b.Done = e.ID, e.Done
	b.Expanded, b.Bound = e.Expanded, e.Bound
	if len(e.Parts) == 0 {
		before := b.objects()
		b.Content, b.Given = e.Content, nil
		l.hold(1, b.objects()...)
		l.hold(-1, before...)
	}
	if e.Proof != nil {
		b.Pieces = append(b.Pieces, Piece{*e.Proof, e.Records})
	}
	if e.Done {
		l.open--
	}
	for _, p := range e.Parts {
		l.add(&Block{Name: p.Block, Version: p.Block, Content: &p.Content, Prefixes: p.Prefixes, Bound: e.Bound})
		b.Given = append(b.Given, p.Content)
		l.hold(2, p.Content)
	}
	if !l.Any || Smaller(e.List, e.Objective, l.List, l.Objective) {
		l.List, l.Objective, l.Any = e.List, e.Objective, true
	}
	return nil
}

// objects are what a block refers to.
func (b *Block) objects() []Object {
	if b.Content == nil {
		return b.Given
	}
	return append(slices.Clip(b.Given), *b.Content)
}

// hold notes that so many blocks more refer to objects. It says of what nobody needs any more that it may go.
func (l *Ledger) hold(blocks int, objects ...Object) {
	for _, o := range objects {
		if l.held[o.Name] += blocks; l.held[o.Name] <= 0 {
			delete(l.held, o.Name)
			if l.Drop != nil {
				l.Drop(o.Name)
			}
		}
	}
}

// wrong says what is wrong with an event about an open block.
func (l *Ledger) wrong(e *Event) error {
	switch {
	case e.ID == "" || len(e.ID) > MaxName:
		return errors.New("it has no name")
	case e.Done == (e.Content != nil) != (len(e.Parts) > 0) || e.Done && e.Content != nil: // none or two, or three
		return errors.New("it is to say one thing: what is left, what is given, or the end")
	case len(e.Parts) > 0 && e.Proof != nil:
		return errors.New("records count with what is left")
	case len(e.Parts) > MaxParts:
		return fmt.Errorf("%d parts, at most %d are allowed", len(e.Parts), MaxParts)
	case e.Expanded < 0 || e.Records < 0:
		return errors.New("a count below 0")
	}
	for i, p := range e.Parts {
		switch {
		case p.Block == "" || len(p.Block) > MaxName || l.Blocks[p.Block] != nil:
			return fmt.Errorf("there is a block %q already", p.Block)
		case slices.ContainsFunc(e.Parts[:i], func(q Part) bool { return q.Block == p.Block }):
			return fmt.Errorf("two blocks have the name %q", p.Block)
		}
	}
	return l.Check(e)
}

// Limits of an event.
const MaxName = 64
const MaxParts = 1024

// Smaller reports whether a list comes before another in the order of lists: objective, length,
// antecedents.
func Smaller(a []int, objective int64, b []int, than int64) bool {
	return cmp.Or(cmp.Compare(objective, than), len(a)-len(b), slices.Compare(a, b)) < 0
}

// Over reports whether no block is open.
func (l *Ledger) Over() bool { return l.open == 0 }

// Open calls f with the open blocks, in the order of their events.
func (l *Ledger) Open(f func(*Block)) {
	l.order = slices.DeleteFunc(l.order, func(name string) bool { return l.Blocks[name].Done })
	for _, name := range l.order {
		f(l.Blocks[name])
	}
}

// OpenBlocks returns how many blocks are open.
func (l *Ledger) OpenBlocks() int { return l.open }
