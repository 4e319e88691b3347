package cli

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"parcorels/internal/testing/must"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// asColumns turns CSV into a table of columns of type text.
func asColumns(t *testing.T, path string) []byte {
	t.Helper()
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	records := must.Get(csv.NewReader(f).ReadAll())(t)
	var columns []map[string]any
	var body []byte
	for i, name := range records[0] {
		index := map[string]int{}
		var lengths, texts, codes []byte
		for _, record := range records[1:] {
			text := record[i]
			if _, ok := index[text]; !ok {
				index[text] = len(index)
				lengths = binary.LittleEndian.AppendUint32(lengths, uint32(len(text)))
				texts = append(texts, text...)
			}
			codes = binary.LittleEndian.AppendUint32(codes, uint32(index[text]))
		}
		columns = append(columns, map[string]any{"name": name, "type": "text", "texts": len(index), "bytes": len(texts)})
		body = append(append(append(body, lengths...), texts...), codes...)
	}
	list := must.Get(json.Marshal(columns))(t)
	head := `{"format":"parcorels columns","version":1,"source":"` + filepath.Base(path) + `","rows":`
	rows, _ := json.Marshal(len(records) - 1)
	return append([]byte(head+string(rows)+`,"columns":`+string(list)+"}\n"), body...)
}

// served runs a command as a client does and returns the events it sends. The
// stream stays open until the event has come, or ends with data if there is none.
func served(t *testing.T, data []byte, until string, args ...string) (status int, events []map[string]any) {
	t.Helper()
	stdin, toStdin := io.Pipe()
	fromStdout, stdout := io.Pipe()
	go func() {
		_, _ = toStdin.Write(data)
		if until == "" {
			toStdin.Close()
		}
	}()
	done := make(chan int, 1)
	go func() {
		p := Process{Stdin: stdin, Stdout: stdout, Stderr: io.Discard, ProgressEvery: 20 * time.Millisecond}
		done <- p.Run(context.Background(), append([]string{"client"}, args...))
		stdout.Close()
	}()
	for decoder := json.NewDecoder(fromStdout); ; {
		var event map[string]any
		if err := decoder.Decode(&event); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		events = append(events, event)
		if event["event"] == until {
			toStdin.Close()
		}
	}
	return <-done, events
}

// TestClientFit learns from columns what fit learns from the file, byte for
// byte, and verifies the proof of the one with the other.
func TestClientFit(t *testing.T) {
	source := must.Get(filepath.Abs("../../../../examples/monk1.csv"))(t)
	t.Chdir(t.TempDir())
	if status, _, stderr := run("fit", source, "--lambda", "0.01", "-o", "model.json"); status != exitDone {
		t.Fatal(stderr)
	}
	want := must.Get(os.ReadFile("model.json"))(t)
	columns := asColumns(t, source)
	status, events := served(t, columns, "result", "fit", "-", "--lambda", "0.01", "--proof", "p")
	last := events[len(events)-1]
	if made, _ := last["model"].(string); status != exitDone || last["event"] != "result" || made != string(want) {
		t.Fatalf("status %d, %v; want the model\n%s", status, last, want)
	}
	if _, events = served(t, columns, "result", "fit", "-", "--lambda", "0.01"); events[len(events)-1]["model"] != string(want) {
		t.Errorf("%v without a proof; want the model\n%s", events[len(events)-1], want)
	}
	if names := last["columns"].([]any); len(names) != 7 || names[0] != "head_shape" {
		t.Errorf("columns %v", names)
	}
	if result := last["result"].(map[string]any); result["status"] != "optimal" {
		t.Errorf("result %v", result)
	}
	status, events = served(t, columns, "result", "verify", "p", "-")
	if last = events[len(events)-1]; status != exitDone || last["result"].(map[string]any)["status"] != "verified" {
		t.Errorf("status %d, %v", status, last)
	}
	if status, stdout, stderr := run("verify", "p", source); status != exitDone || !strings.HasPrefix(stdout, "VERIFIED") {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
	other := bytes.Replace(columns, []byte("head_shape"), []byte("hood_shape"), 1)
	status, events = served(t, other, "error", "verify", "p", "-")
	if last = events[len(events)-1]; status != exitOutput || last["kind"] != "refused" {
		t.Errorf("status %d, %v, want a refusal", status, last)
	}
}

// TestClientLeaves closes the stream while the search runs: the best list so
// far is sent all the same.
func TestClientLeaves(t *testing.T) {
	t.Chdir(t.TempDir())
	hard(t)
	// The table is on stdin or in a file.
	for path, stdin := range map[string][]byte{"-": asColumns(t, "t.csv"), "t.csv": nil} {
		status, events := served(t, stdin, "progress", "fit", path, "--lambda", "0.001", "--workers", "2")
		last := events[len(events)-1]
		if status != exitInterrupted || last["event"] != "result" || last["result"].(map[string]any)["status"] != "interrupted" {
			t.Errorf("%s: status %d, %v", path, status, last)
		}
	}
}

func TestClientErrors(t *testing.T) {
	for _, c := range []struct {
		kind, want string
		option     string
		data       string
		args       []string
	}{
		{"input", "lambda", "lambda", "", []string{"fit", "-", "--lambda", "7"}},
		{"input", "can run", "", "", []string{"serve"}},
		{"input", "can run", "", "", nil},
		{"input", "no value \"blue\"", "positive", columnsTwo, []string{"fit", "-", "--positive", "blue"}},
		{"input", "cut short", "", columnsHead + "\n", []string{"fit", "-"}},
	} {
		closed := "" // at once: the stream ends too early
		if c.data == columnsTwo {
			closed = "error" // an end before that would interrupt
		}
		status, events := served(t, []byte(c.data), closed, c.args...)
		if len(events) != 1 {
			t.Fatalf("%v: %d events, want 1", c.args, len(events))
		}
		message, _ := events[0]["message"].(string)
		option, _ := events[0]["option"].(string)
		if status != exitInput || option != c.option || events[0]["event"] != "error" || events[0]["kind"] != c.kind ||
			!strings.Contains(message, c.want) {
			t.Errorf("%v: status %d, %v", c.args, status, events[0])
		}
	}
}

// columnsTwo is a table of two rows.
const columnsTwo = `{"format":"parcorels columns","version":1,"rows":2,"columns":[{"name":"a","type":"bool"},{"name":"y","type":"bool"}]}` + "\n\x01\x00\x00\x01"

const columnsHead = `{"format":"parcorels columns","version":1,"rows":9,"columns":[{"name":"a","type":"bool"},{"name":"y","type":"bool"}]}`

// TestClientPrints: a command without a model sends what it prints, and one about groups a model.
func TestClientPrints(t *testing.T) {
	columns := asColumns(t, "../../../../examples/monk1.csv")
	t.Chdir(t.TempDir())
	status, events := served(t, columns, "printed", "path", "-", "--to", "0.1", "--json", "-")
	last := events[len(events)-1]
	if text, _ := last["text"].(string); status != exitDone || last["event"] != "printed" ||
		!strings.Contains(text, `"certified_down_to": "1/10"`) {
		t.Errorf("status %d, %v", status, last)
	}
	write(t, map[string]string{"t": string(columns)})
	status, events = served(t, nil, "result", "fit", "t", "--fair", "is_smiling", "--parity", "0.5", "--max-card", "1", "--lambda", "0.1")
	last = events[len(events)-1]
	if found, _ := last["result"].(map[string]any); status != exitDone || found["status"] != "optimal" || found["fair"] == nil {
		t.Errorf("status %d, %v", status, last)
	}
}
