package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"parcorels/examples"
)

// publishedBoards is the tic-tac-toe file of the UCI repository, which is the example
// but for the header.
func publishedBoards(t *testing.T) string {
	t.Helper()
	table, err := examples.Table("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	_, boards, _ := strings.Cut(string(table), "\n")
	return boards
}

// mirror serves a file.
func mirror(t *testing.T, text string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }))
	t.Cleanup(server.Close)
	return server.URL
}

func TestGet(t *testing.T) {
	t.Chdir(t.TempDir())
	boards := publishedBoards(t)
	address := mirror(t, boards)
	get := []string{"get", "tic-tac-toe", "--url", address}
	status, stdout, stderr := run(get...)
	const want = "tic-tac-toe.data: 25,866 bytes, SHA-256 as published\nnext: parcorels fit tic-tac-toe.data --no-header\n"
	if status != exitDone || stdout != want || stderr != "" {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	if text, err := os.ReadFile("tic-tac-toe.data"); err != nil || string(text) != boards {
		t.Errorf("the file differs, error %v", err)
	}
	status, stdout, stderr = run(get...)
	if status != exitInput || stdout != "" || stderr != "parcorels-bench: tic-tac-toe.data: there is such a file: say where to write "+
		"with -o\n" {
		t.Errorf("again: status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	status, stdout, stderr = run(append(get, "-o", "-")...)
	if status != exitDone || stdout != boards || stderr != "" {
		t.Errorf("to stdout: status %d, %d bytes, stderr %q", status, len(stdout), stderr)
	}
	status, _, stderr = run(append(get, "-o", "no/such.data")...)
	if status == exitDone || !strings.HasPrefix(stderr, "parcorels-bench: no/such.data: ") {
		t.Errorf("nowhere to write: status %d, stderr %q", status, stderr)
	}
}

// TestGetNothing: what is not the published file, or not to be had, is not
// written, and does not replace what is there.
func TestGetNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "old.data", "old")
	boards := publishedBoards(t)
	changed := strings.Replace(boards, "o", "x", 1)
	for text, want := range map[string]string{
		changed:      ": bytes with SHA-256 ",
		boards[:100]: ": 100 bytes came, expected 25866: this is not the whole published file\n",
	} {
		address := mirror(t, text)
		for _, line := range []string{"get tic-tac-toe", "get tic-tac-toe -o old.data", "get tic-tac-toe -o -"} {
			status, stdout, stderr := run(append(strings.Fields(line), "--url", address)...)
			if status != exitOutput || stdout != "" || !strings.HasPrefix(stderr, "parcorels-bench: tic-tac-toe from "+address+want) ||
				strings.Count(stderr, "\n") != 1 {
				t.Errorf("%s: status %d, stdout %q, stderr %q", line, status, stdout, stderr)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if status, _, stderr := runContext(ctx, "", "get", "tic-tac-toe", "--url", mirror(t, boards)); status != exitInterrupted {
		t.Errorf("cancelled: status %d, stderr %q", status, stderr)
	}
	left, err := os.ReadDir(".")
	text, _ := os.ReadFile("old.data")
	if err != nil || len(left) != 1 || string(text) != "old" {
		t.Errorf("left behind: %v, %v, old file %q", left, err, text)
	}
}

// stops are four stops, of which two make the table.
const stops = `inout,trhsloc,frisked,searched,pistol,riflshot,asltweap,knifcuti,machgun,othrweap,ac_rept,ac_inves,ac_proxm,cs_objcs,cs_descr,cs_casng,cs_lkout,cs_cloth,cs_drgtr,ac_evasv,ac_assoc,cs_furtv,ac_cgdir,cs_vcrim,cs_bulge,ac_incid,ac_time,ac_stsnd,sex,race,age,build,city
O,P,Y,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,M,B,20,T,BRONX
O, ,Y,N,1,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,Y,N,N,N,M,B,20,T,BRONX
O,P,Y,N,N,N,N,Y,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,M,B,**,T,BRONX
O,P,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,M,B,20,T,BRONX
`

const wantTable = `cs_objcs,cs_descr,cs_casng,cs_lkout,cs_cloth,cs_drgtr,cs_furtv,cs_vcrim,cs_bulge,ac_rept,ac_inves,ac_proxm,ac_evasv,ac_assoc,ac_cgdir,ac_incid,ac_time,ac_stsnd,city,location,inout,weapon
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,Bronx,neither,outside,0
0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,Bronx,neither,outside,1
`

const stopsCounts = `stops in the file                            4, 2 with a weapon
frisked or searched, of all                  3, 2 with a weapon
without unknown values, of all               3
of these, aged 12 to 89                      3
of these, frisked or searched                2, 1 with a weapon
note: not in the table, for an unknown value or an age out of range: 1 weapon
note: taken for neither housing nor transit authority: 1 stop with a blank location
`

// TestStops converts a file of stops, from a file and from stdin.
func TestStops(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "nypd.csv", stops)
	writeFile(t, "bad.csv", strings.Replace(stops, "BRONX", "PARIS", 1))
	if status, stdout, stderr := run("nypd", "nypd.csv"); status != exitDone || stdout != wantTable || stderr != stopsCounts {
		t.Errorf("status %d, stdout\n%s\nstderr\n%s", status, stdout, stderr)
	}
	status, stdout, _ := runContext(t.Context(), stops, "nypd", "-", "-o", "stops.csv")
	if table, err := os.ReadFile("stops.csv"); status != exitDone || stdout != stopsCounts || err != nil || string(table) != wantTable {
		t.Errorf("status %d, stdout\n%s\ntable\n%s", status, stdout, table)
	}
	for line, want := range map[string]string{
		"nypd bad.csv -o new.csv": `bad.csv:2: column city: "PARIS", expected one of the five boroughs or blank`,
		"nypd none.csv":           "none.csv: no such file or directory",
	} {
		if status, stdout, stderr := run(strings.Fields(line)...); status != exitInput || stdout != "" ||
			stderr != "parcorels-bench: "+want+"\n" {
			t.Errorf("%s: status %d, stdout %q, stderr %q", line, status, stdout, stderr)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if status, _, stderr := runContext(ctx, stops, "nypd", "-", "-o", "none.csv"); status != exitInterrupted {
		t.Errorf("cancelled: status %d, stderr %q", status, stderr)
	}
	for _, name := range []string{"new.csv", "none.csv"} {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s is left behind", name)
		}
	}
}
