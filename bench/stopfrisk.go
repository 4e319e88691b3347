package bench

import (
	"context"
	"io"

	"parcorels/dataset"
	"parcorels/internal/generate"
)

const stopFriskSeed = 1

// stopFrisk reads a table while it is made, so that it is never kept as text.
func stopFrisk(name string, n []int) (*dataset.Dataset, error) {
	table := generate.StopFrisk{Rows: int64(n[0]), Seed: stopFriskSeed, Balance: true}
	read, write := io.Pipe()
	go func() { _ = write.CloseWithError(table.Write(context.Background(), write)) }()
	defer read.Close()
	return dataset.ReadFrom(read, name, dataset.Options{})
}
