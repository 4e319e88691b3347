// Package prefetch asks the processor for memory before it is needed. Begin
// with [Line], its only function. The maps and prefix trees of a search are larger than
// any cache, and know what they will read some hundred nanoseconds ahead.
package prefetch
