package rulelist_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parcorels/internal/testing/blocks"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
)

// TestTexts runs testdata/*.txt:
//
//	problem   its samples: what each antecedent captures, labels and weights. It has a proof of its smallest list.
//	proof     with these records behind the proof's own, or in their place
//	file      of these parts; head, header and records are those of the proof
//
// Bytes are written as numbers, each a varint of its shortest form, as "texts", or in hexadecimal digits behind an x. 3<<17+1 is a
// number, 0*32 so many.
func TestTexts(t *testing.T) {
	var p *prover
	blocks.Replay(t, "testdata/*.txt", func(t *testing.T, command, input string) string {
		lines := strings.FieldsFunc(input, func(r rune) bool { return r == '\n' })
		switch strings.Fields(command)[0] {
		case "problem":
			p = problemText(t, command, lines)
			return fmt.Sprint("the smallest list is ", p.best.Antecedents)
		case "proof":
			return proofText(t, *p, command, lines)
		}
		return p.fileText(t, lines)
	})
}

func problemText(t *testing.T, command string, lines []string) *prover {
	var o struct {
		Lambda string
		Claim  []int
	}
	blocks.Options(t, command, &o)
	in := testgen.Instance{}
	for _, line := range lines {
		switch name, rest, _ := strings.Cut(line, " "); name {
		case "labels":
			in.Labels = testgen.Bits(rest)
		case "weights":
			for w := range strings.FieldsSeq(rest) {
				in.Weights = append(in.Weights, int64(number(t, w)))
			}
		default:
			in.Columns = append(in.Columns, testgen.Bits(name))
		}
	}
	var err error
	if in.Lambda, err = ratio.Parse(o.Lambda); err != nil {
		t.Fatal(err)
	}
	p := newProver(t, in, o.Claim, 0, rand.New(rand.NewPCG(1, 1)))
	p.expand(nil)
	return p
}

// altered says what differs from the problem's own proof.
type altered struct {
	Claim                                  []int
	Instead                                bool     // of its records
	Pairs                                  int      // all prefixes of one or two of so many antecedents are expanded, too
	Without                                []string // records
	Limit, Antecedents, Weight, Errors, At int      // At: the byte of the digest that is another
	Lambda                                 [2]int64
	Labels                                 *string
}

func proofText(t *testing.T, p prover, command string, lines []string) string {
	o := altered{At: -1}
	blocks.Options(t, command, &o)
	s := &p.script
	if o.Claim != nil {
		l := must.Get(p.Instance.Evaluate(o.Claim))(t)
		s.claims(l)
	}
	if o.Instead {
		s.records = nil
	}
	for _, record := range o.Without {
		s.records = slices.DeleteFunc(slices.Clone(s.records), func(r []byte) bool { return slices.Equal(r, bytesOf(t, record)) })
	}
	for _, line := range lines {
		s.records = append(slices.Clip(s.records), bytesOf(t, line))
	}
	for a := range o.Pairs {
		s.records = append(s.records, []byte{1, 1, byte(a), 0})
		for b := range o.Pairs {
			if a != b {
				s.records = append(s.records, []byte{1, 2, byte(a), byte(b), 0})
			}
		}
	}
	s.perBlock = len(s.records) // a bound names sets of its block
	s.limit, s.antecedents, s.weight, s.errors = o.Limit, s.antecedents+o.Antecedents, s.weight+int64(o.Weight), s.errors+int64(o.Errors)
	if o.At >= 0 {
		s.digest[o.At] ^= 1
	}
	if o.Lambda[1] > 0 {
		s.lambda = ratio.Ratio{Num: o.Lambda[0], Den: o.Lambda[1]}
	}
	if o.Labels != nil {
		s.labels = nil
		for _, digit := range *o.Labels {
			s.labels = append(s.labels, byte(digit-'0'))
		}
	}
	return p.checked(t, s.file())
}

func (p *prover) fileText(t *testing.T, lines []string) string {
	whole := p.script
	whole.records = [][]byte{{1, 0, 0}}
	parts := blocksOf(whole.file())
	var file []byte
	for _, line := range lines {
		name, rest, _ := strings.Cut(line, " ")
		b := bytesOf(t, rest)
		switch name {
		case "head", "header", "records":
			file = append(file, parts[slices.Index([]string{"head", "header", "records"}, name)]...)
		case "sealed":
			file = sealed(file, b)
		case "raw":
			file = append(file, b...)
		default:
			file = block(file, name[0], b)
		}
	}
	return p.checked(t, file)
}

func (p *prover) checked(t *testing.T, file []byte) string {
	r, err := check(t, file, p.set, 1)
	switch {
	case isRefusal(err):
		return err.Error()
	case err != nil:
		t.Fatal(err)
	case r.Counted > 0:
		return fmt.Sprintf("proved of lists of at most %d rules: %v", r.Counted, antecedentsOf(r.Rules))
	}
	return fmt.Sprintf("proved: %v, %d errors, objective %d", antecedentsOf(r.Rules), r.Errors, r.Objective)
}

func bytesOf(t *testing.T, text string) (b []byte) {
	for word := range strings.FieldsSeq(text) {
		of, times, many := strings.Cut(word, "*")
		quoted, err := strconv.Unquote(word)
		switch {
		case err == nil:
			b = append(b, quoted...)
		case many:
			b = append(b, slices.Repeat(bytesOf(t, of), int(number(t, times)))...)
		case word[0] == 'x':
			raw := must.Get(hex.DecodeString(word[1:]))(t)
			b = append(b, raw...)
		default:
			b = binary.AppendUvarint(b, number(t, word))
		}
	}
	return b
}

func number(t *testing.T, word string) uint64 {
	base, more, shifted := strings.Cut(word, "<<")
	n, err := strconv.ParseUint(base, 10, 64)
	if by, plus, _ := strings.Cut(more, "+"); shifted {
		k, _ := strconv.Atoi(by)
		m, _ := strconv.Atoi(plus)
		n = n<<k + uint64(m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}
