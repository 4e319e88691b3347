package framing

import (
	"cmp"
	"context"
	"io"
	"math"
	"math/big"
	"math/bits"
	"runtime"
	"sync/atomic"
	"time"

	"parcorels/loop"
	"parcorels/ratio"
)

// About is what every proof says first, in its header.
type About struct {
	Digest      [32]byte    // of the instance, see rules.Set.Digest
	Lambda      ratio.Ratio // λ
	Antecedents int         // M
	Weight      int64       // N, the total weight of the samples
	Settings    []byte      // how the data were read, in the words of the program that did
}

// Proof is an open proof file of which the header has been read. It is good for one check.
type Proof struct {
	Blocks *Reader // behind the header
	about  About
}

// About returns what the proof is about. The checksum of its block matched; all else about it is for a check to find out.
func (p *Proof) About() About { return p.about }

// mostAntecedents bounds M: antecedents are numbered by 16 bits.
const mostAntecedents = 1 << 16

// Open reads the magic text, the version and the header of a proof. The rest of
// a header, which a family has of its own, is read by more. Errors wrap
// ErrFormat or ErrRefused, or are those of r.
func Open(r io.Reader, magic string, version uint32, more func(*Parser)) (p Proof, err error) {
	if p.Blocks, err = (File{magic, version, ErrFormat, ErrRefused}).Open(r); err != nil {
		return p, err
	}
	kind, payload, err := p.Blocks.Next()
	if err != nil {
		return p, err
	}
	if kind != Header {
		return p, Refused("block 0: it is of type %q, expected %q", kind, Header)
	}
	if err := p.about.parse(payload, more); err != nil {
		return p, Refused("block 0, the header: %w", err)
	}
	return p, nil
}

func (a *About) parse(payload []byte, more func(*Parser)) error {
	p := Parser{Bytes: payload}
	copy(a.Digest[:], p.Take(uint64(len(a.Digest))))
	a.Lambda.Num = p.Below64("numerator of λ", math.MaxInt64)
	a.Lambda.Den = p.Below64("denominator of λ", math.MaxInt64)
	a.Antecedents = p.Below("number of antecedents", mostAntecedents+1)
	a.Weight = p.Below64("total weight", math.MaxInt64)
	more(&p)
	a.Settings = p.Take(p.Varint())
	if p.More() {
		p.Fail(ErrBehind)
	}
	return p.Err
}

// OfData makes sure that the proof is about data with this digest, so many
// antecedents and this total weight.
func (a *About) OfData(digest [32]byte, antecedents int, weight int64) error {
	switch {
	case a.Digest != digest:
		return Refused("it is not about these data and antecedents: its digest is another")
	case a.Antecedents != antecedents:
		return Refused("it is about %d antecedents, there are %d", a.Antecedents, antecedents)
	case a.Weight != weight:
		return Refused("it is about samples of total weight %d, theirs is %d", a.Weight, weight)
	}
	return nil
}

// InLowestTerms reports whether λ is a fraction in lowest terms with a positive
// denominator.
func (a *About) InLowestTerms() bool {
	return a.Lambda.Den > 0 && ratio.GCD(a.Lambda.Num, a.Lambda.Den) == 1
}

// Endless stands for no limit of splits on a path.
const Endless = math.MaxInt32

// Splits returns the splits that may follow on a path from all samples; depth is the most, 0 for no limit.
func Splits(depth int) int { return cmp.Or(depth, Endless) }

// Fewer returns the splits that are left below a split.
func Fewer(splits int) int {
	if splits == Endless {
		return Endless
	}
	return splits - 1
}

// Far is larger than any value of a tree; two of them add up without overflow.
const Far = int64(1) << 61

// NewValues returns what an error and a leaf count in values of trees, K·objective + leaves, which are
// one integer each. Errors that no tree avoids are left out. It checks K against samples of a total
// weight in so many groups, of which one leaf gets oneLeaf wrong, and that values of worst errors and
// so many leaves fit.
//
// Why the smallest value has the smallest objective, and of those the fewest
// leaves: let T have the smallest objective and then the fewest leaves. It has no
// leaf without a group, as the tree without that leaf would be as good, so at
// most as many leaves as there are groups, and one; and its objective is at most that of
// one leaf, so (leaves − 1)·num·N ≤ den·(errors of one leaf, beyond those that no
// tree avoids). K is larger than the smaller of both. If T' has a smaller value
// than T but not a smaller objective, it has the same one and fewer leaves; else
// its objective would be larger by 1 at least, its value by K − leaves(T) > 0.
func NewValues(k int64, lambda ratio.Ratio, total int64, groups int, oneLeaf, worst, leaves int64) (unit, price int64, err error) {
	most := big.NewInt(int64(max(groups, 1)))
	step := new(big.Int).Mul(big.NewInt(lambda.Num), big.NewInt(total))
	if step.Sign() > 0 {
		paid := new(big.Int).Mul(big.NewInt(lambda.Den), big.NewInt(oneLeaf))
		if paid.Add(paid.Div(paid, step), big.NewInt(1)); paid.Cmp(most) < 0 {
			most = paid
		}
	}
	if k < 1 || bits.OnesCount64(uint64(k)) != 1 || big.NewInt(k).Cmp(most) <= 0 {
		return 0, 0, Refused("its K is %d, expected a power of two above %v", k, most)
	}
	perError := new(big.Int).Mul(big.NewInt(k), big.NewInt(lambda.Den))
	perLeaf := new(big.Int).Add(new(big.Int).Mul(big.NewInt(k), step), big.NewInt(1))
	largest := new(big.Int).Mul(perError, big.NewInt(worst))
	largest.Add(largest, new(big.Int).Mul(perLeaf, big.NewInt(leaves)))
	if largest.Cmp(big.NewInt(Far)) >= 0 {
		return 0, 0, Refused("values up to %v exceed 61 bits", largest)
	}
	return perError.Int64(), perLeaf.Int64(), nil
}

// CheckObjectives makes sure that objectives fit: what every tree gets wrong counts there, too. Leaves
// cost less than their value.
func CheckObjectives(lambda ratio.Ratio, total int64) error {
	if all := new(big.Int).Mul(big.NewInt(lambda.Den), big.NewInt(total)); all.Cmp(big.NewInt(Far)) >= 0 {
		return Refused("objectives up to %v exceed 61 bits", all)
	}
	return nil
}

// Options says how to check. The verdict does not depend on it.
type Options struct {
	Workers  int            // goroutines; 0: all that GOMAXPROCS allows
	Progress func(Progress) // called by one goroutine, never after the check has ended; nil: never
	Every    time.Duration  // between two calls of Progress; 0: a second
}

// Progress tells how far a check has come.
type Progress struct {
	Elapsed time.Duration
	Records int64 // of the proof, read so far
	Checked int64 // prefixes or sets that were checked: in the end fewer than Of if a prefix of theirs was found dominated later
	Of      int64 // prefixes that a proof about rule lists says were expanded; 0 until it has been read, and for other families
	Final   bool  // whether it is the last of a check that has come to an end
}

// Counts are what Progress tells of.
type Counts struct{ Records, Checked, Of atomic.Int64 }

// Watch reports counts, if anybody wants to know, until the returned function is called.
func (o Options) Watch(c *Counts) (end func()) {
	if o.Progress == nil {
		return func() {}
	}
	start := time.Now()
	return loop.Every(o.Every, func(final bool) {
		o.Progress(Progress{time.Since(start), c.Records.Load(), c.Checked.Load(), c.Of.Load(), final})
	})
}

// Goroutines returns how many there are to be.
func (o Options) Goroutines() int { return cmp.Or(max(o.Workers, 0), runtime.GOMAXPROCS(0)) }

// First calls check for 0 to n−1 by the workers, each with a check of its own, until ctx ends. It returns the first number for
// which check was false, n for none.
func (o Options) First(ctx context.Context, n int, newCheck func() func(i int) bool) int {
	var first atomic.Int64
	first.Store(int64(n))
	loop.ParallelWith(o.Goroutines(), n, func() func(int) {
		check := newCheck()
		return func(i int) {
			if int64(i) > first.Load() || ctx.Err() != nil || check(i) {
				return
			}
			for x := first.Load(); int64(i) < x && !first.CompareAndSwap(x, int64(i)); x = first.Load() {
			}
		}
	})
	return int(first.Load())
}
