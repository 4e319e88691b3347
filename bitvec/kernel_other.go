package bitvec

// available reports whether this machine and this build can run k.
func (k kernel) available() bool { return k == generic }
