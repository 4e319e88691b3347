package bench

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"parcorels/dataset"
	"parcorels/internal/generate"
	"parcorels/rules"
)

const stopFriskSeed = 1

func stopFriskInstance(name, text string) (Instance, error) {
	rows, err := strconv.ParseInt(text, 10, 64)
	table := generate.StopFrisk{Rows: rows, Seed: stopFriskSeed, Balance: true}
	if err == nil {
		err = table.Validate()
	}
	if err != nil {
		return Instance{}, fmt.Errorf("%q: expected stopfrisk/ROWS with 1 to %d rows", name, generate.MaxStops)
	}
	return Instance{Name: name, About: "stops", mining: rules.Options{MaxCard: 1}, make: func() (*dataset.Dataset, error) {
		// The table is read as it is made, and never kept as text.
		read, write := io.Pipe()
		go func() { _ = write.CloseWithError(table.Write(context.Background(), write)) }()
		defer read.Close()
		return dataset.ReadFrom(read, name, dataset.Options{})
	}}, nil
}
