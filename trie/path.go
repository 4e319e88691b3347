package trie

import "slices"

// Path writes the antecedents from the root down to the node id, in that order, to buf and returns it. The caller is
// pinned, or nobody works on the tree.
func Path[A ~uint16](a *Arena, id ID, buf []A) []A {
	n := a.Node(id)
	buf = slices.Grow(buf[:0], int(n.Depth)+1)[:n.Depth]
	for id != Root {
		buf[n.Depth-1] = A(n.Antecedent)
		id = n.Parent
		n = a.Node(id)
	}
	return buf
}
