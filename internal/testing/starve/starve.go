// Package starve takes free memory away from a search. Begin with [Nodes].
package starve

import "parcorels/trie"

// Nodes takes free nodes of a handle's arena away, once its budget is spent, until the handle has so many and no other has
// any. A budget leaves thousands.
func Nodes(h *trie.Handle, nodes int) {
	var taken []trie.ID
	for {
		id, ok := h.New(trie.Root, 0, 0, 0, 0)
		if !ok {
			break
		}
		taken = append(taken, id)
	}
	kept := min(nodes, len(taken))
	for _, id := range taken[:kept] {
		h.Discard(id)
	}
	for _, id := range taken[kept:] {
		h.Expanded(id) // nothing that is open
	}
}
