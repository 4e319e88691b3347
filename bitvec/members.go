package bitvec

// HashMembers returns a key of the set of small integers in members, whatever
// their order: the sum of one random-looking 128-bit word for each.
func HashMembers[M ~uint16](members []M) (k Key) {
	for _, m := range members {
		k.Hi += mix(uint64(m)*0x9e3779b97f4a7c15 + 0x452821e638d01377)
		k.Lo += mix(uint64(m)*0xd1342543de82ef95 + 0xbe5466cf34e90c6c)
	}
	return k
}
