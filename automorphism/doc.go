// Package automorphism finds the symmetries of an instance: permutations of its antecedents
// after which it is the same instance. The board of tic-tac-toe can be turned and mirrored;
// in MONK's problems values and attributes can be exchanged. A model and its image under
// such a permutation make equally many errors. So a search needs only one of them. Begin
// with [Find].
//
// # Method
//
// Antecedents and points are coloured, first by what they cost. Then an antecedent is
// coloured again by the colours of the points that it captures, and a point by those of the
// antecedents that capture it. That is repeated until no new colours come up. Antecedents
// of different colours cannot be exchanged. If some still have the same colour, one of them
// is singled out and another one is tried as its image. Both colourings are refined
// further. When all colours are different they name a permutation. (This is
// individualisation and refinement, as in McKay and Piperno, Practical graph isomorphism,
// II, 2014, without their pruning.)
//
// Images are collected along a chain: those of a first antecedent, those of a second under
// the permutations that leave the first alone, and so on. Their products are the group. At
// most as many of them are returned as the caller asks for.
//
// # Why the result can be relied on
//
// Colours are hashes and the effort is bounded, so permutations may be missed. But every
// permutation that is returned is a symmetry. Each one that is found is checked point by
// point against the definition, and products of symmetries are symmetries.
package automorphism
