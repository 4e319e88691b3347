package cli

import (
	"context"
	"os"
	"strings"
	"testing"
)

// TestInterruptedTable: a table that is not whole is not left behind.
func TestInterruptedTable(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	{
		var stdout, stderr strings.Builder
		if status := Run(ctx, words("data stopfrisk --rows 1000000000 -o stops.csv"), nil, &stdout, &stderr); status != exitInterrupted {
			t.Errorf("status %d, stderr %q", status, stderr.String())
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
