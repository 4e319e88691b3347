package parallel

// Ordering of memory.
//
// All words that goroutines share without a lock are typed atomics. Go orders
// their operations sequentially: there is one order of all of them that every
// goroutine agrees with, and what a goroutine did before a write is seen by
// every goroutine that reads what was written. Two patterns rest on it.
//
// Publishing: fields are written, then an atomic or a lock lets others see where
// they are, and they are not written again. So solutions go through
// Incumbent.best, and tables of the map through part.table and table.next.
//
// Store, then look: of two goroutines that each write one word and then read the
// other's, at least one sees the other's write. On that rest parking (waiting
// and size) and the counts (inserted and finished).
//
// The use of each atomic:
//
//	atomic               written by                read by              what it carries
//	Run.state            who ends or pauses        workers              the reason; close of Run.done follows the one CAS that sets it
//	Run.taken            workers                   workers              expansions begun; a ticket each, so a node limit is exact
//	Incumbent.best       workers                   everyone             a whole immutable solution
//	counters.inserted    its worker                who parks, monitor  counted before the push that publishes the node
//	counters.finished    its worker                who parks, monitor  counted after the children were; readers sum it before inserted
//	levelCounts.*        its worker                monitor              the same for each level of the bound, lowest level first
//	counters, the others its worker                monitor              statistics, each by itself
//	shard.best           pushers, poppers, locked  workers              a hint which shard to pop from; the lock decides
//	shard.size           pushers, poppers, locked  workers              a hint where to look; written before waiting is read
//	parking.waiting      workers that park         pushers, poppers     the other half: written before the sizes are read
//	Budget.used          workers                   workers, monitor     the memory; a CAS, so that it never passes the limit
//	Budget.peak          workers                   monitor              statistics
//	part.table           who moved the last stride everyone             the first table that may hold a key of the part
//	table.next           one worker that grows     everyone             the empty, larger table; then no slot of this one is claimed
//	table.claimed        workers that claim        workers that claim   about how full the table is; late counts let it grow later
//	table.cursor         workers that move         workers that move    a ticket for each stride
//	table.moved          workers that move         workers that move    counted after the stride's entries are in the next table
//	slot.hi              one claim, or a mover     everyone             half a key for good, or that there will be none
//	slot.lo              one owner, or a mover     everyone             the other half: who sets it owns the slot for its key
//	slot.value           owners of the key         everyone             the value, whose meaning was written before; its top bit ends it
//
// Locks: shard.mu guards a queue, pause.mu who is busy. Nobody holds two of them,
// and none is taken for each child.
