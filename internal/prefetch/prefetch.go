// Package prefetch asks the processor for memory before it is needed.
package prefetch
