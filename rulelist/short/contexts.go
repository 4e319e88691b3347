package short

func (c *table[T]) contexts() bool { return false }
