// Package automorphism finds the symmetries of an instance: permutations of its
// antecedents after which it is the same instance. The board of tic-tac-toe can
// be turned and mirrored; in MONK's problems values and attributes can be
// exchanged. A model and its image under such a permutation err alike, so that a
// search needs only one of them. Begin with [Find].
//
// # Method
//
// Antecedents and points are coloured: first by what they cost, then again and
// again by the colours of the points that an antecedent captures and of the
// antecedents that capture a point, until no more colours come up. Antecedents
// of unlike colours cannot be exchanged. Where some still have the same colour,
// one of them is singled out, another one is tried as its image, and both
// colourings are refined on; when all colours are different they name a
// permutation. (This is individualisation and refinement, as in McKay and
// Piperno, Practical graph isomorphism, II, 2014, without their pruning.)
//
// Images are collected along a chain: those of a first antecedent, those of a
// second under the permutations that leave the first alone, and so on. Their
// products are the group, of which at most as many are returned as are asked
// for.
//
// # Why the result can be relied on
//
// Colours are hashes and the effort is bounded, so permutations may be missed.
// None is returned that is not one: each that is found is checked point by point
// against the definition, and products of symmetries are symmetries.
package automorphism
