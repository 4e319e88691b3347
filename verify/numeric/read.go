package numeric

import (
	"context"
	"errors"
	"math"

	"parcorels/verify/framing"
)

// records are those of a proof, in their order.
type records struct {
	blocks [][]byte
	at     framing.Parser // in the first of blocks
	read   int64
	claims uint64 // records that the claim counts
}

// maxBytes bounds the records that are held.
const maxBytes = 1 << 32

var errBytes = errors.New("the records take more than 4 GiB")

// readRecords reads what is behind the header; claim is given the claim.
func readRecords(ctx context.Context, in *framing.Reader, claim func(*framing.Parser)) (r *records, err error) {
	r = &records{}
	size := int64(0)
	r.claims, err = in.Blocks(ctx.Err, func(p *framing.Parser) {
		if size += int64(len(p.Bytes)); size > maxBytes {
			p.Fail(errBytes)
		}
		r.blocks = append(r.blocks, p.Bytes)
	}, claim)
	return r, err
}

// places reads a record: places from 1 to most, ascending, with the bounds of their sides if it has
// such.
func (r *records) places(most int, bounds bool) (list []place, err error) {
	if !r.at.More() {
		if len(r.blocks) == 0 {
			return nil, framing.Refused("record %d is missing", r.read)
		}
		r.at, r.blocks = framing.Parser{Bytes: r.blocks[0]}, r.blocks[1:]
	}
	p := &r.at
	at := 0
	for n := p.Below("number of places", most+1); n > 0 && p.Err == nil; n-- {
		at += 1 + p.Below("place", most-at)
		x := place{at: at}
		if bounds {
			x.left, x.right = p.Below64("bound", far), p.Below64("bound", far)
		}
		list = append(list, x)
	}
	if p.Err != nil {
		return nil, framing.Refused("record %d: %w", r.read, p.Err)
	}
	r.read++
	return list, nil
}

// end reports records that nothing asks for, and a claim that counts others.
func (r *records) end() error {
	if r.at.More() || len(r.blocks) > 0 {
		return framing.Refused("records follow the last one that is needed")
	}
	if r.claims != uint64(r.read) {
		return framing.Refused("the claim counts %d records, there are %d", r.claims, r.read)
	}
	return nil
}

// claimed is the tree that is said to be the smallest.
type claimed struct {
	nodes  []claimedNode
	errors int64
}

type claimedNode struct{ column, place int }

// parse reads the claim, but for its end.
func (cl *claimed) parse(p *framing.Parser, columns, classes, most int) {
	for n := p.Below("number of nodes", most); n > 0 && p.Err == nil; n-- {
		x := p.Below("node", columns+classes)
		if x >= columns {
			cl.nodes = append(cl.nodes, claimedNode{column: -1 - (x - columns)})
			continue
		}
		cl.nodes = append(cl.nodes, claimedNode{x, p.Below("place", math.MaxInt32)})
	}
	cl.errors = p.Below64("number of errors", math.MaxInt64)
}
