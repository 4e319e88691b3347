package cli

import (
	"context"
	"os"
	"strings"
	"testing"
)

const stopHeader = "inout,trhsloc,frisked,searched,pistol,riflshot,asltweap,knifcuti,machgun,othrweap,ac_rept,ac_inves,ac_proxm,cs_objcs,cs_descr,cs_casng,cs_lkout,cs_cloth,cs_drgtr,ac_evasv,ac_assoc,cs_furtv,ac_cgdir,cs_vcrim,cs_bulge,ac_incid,ac_time,ac_stsnd,sex,race,age,build,city\n"

// TestInterruptedTable: a table that is not whole is not left behind.
func TestInterruptedTable(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, line := range []string{"data stopfrisk --rows 1000000000 -o stops.csv", "data nypd - -o stops.csv"} {
		var stdout, stderr strings.Builder
		if status := Run(ctx, words(line), strings.NewReader(stopHeader), &stdout, &stderr); status != exitInterrupted {
			t.Errorf("%s: status %d, stderr %q", line, status, stderr.String())
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
