package rulelist

import "parcorels/internal/atomicfile"

// Save writes the model to the file path, in the form that Load reads.
//
// The file appears whole or not at all: it is written beside its final place,
// flushed to the disk and then renamed, so that after an error or a crash path
// holds what it held before. A symbolic link stays one, its target is
// replaced; a device or a pipe is written to directly.
func (m *Model) Save(path string) error { return atomicfile.Write(path, m.Encode) }
