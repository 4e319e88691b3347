package cli

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os/exec"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/internal/option"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// python returns a command that runs the reader of tables that is written in
// Python, after docs/proof-format.md and without our code.
func python(t *testing.T) (interpreter, script string) {
	t.Helper()
	script, err := filepath.Abs("../../../../verify/testdata/antecedents.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		path, err := exec.LookPath(name)
		if err == nil && exec.Command(path, "-c", "import sys; sys.exit(sys.version_info < (3, 9))").Run() == nil {
			return path, script
		}
	}
	t.Skip("python3 3.9 or later is not installed: antecedents are not made a second time, without our reader")
	return "", ""
}

// readings are tables whose antecedents both programs make.
type readings struct {
	lines []string   // what was read, for messages
	args  []string   // a proof and its table each
	want  [][]string // the antecedents
}

// add has our programs make the antecedents of a table.
func (x *readings) add(t *testing.T, table string, options ...string) {
	t.Helper()
	name := fmt.Sprint(len(x.want)) + ".proof"
	proof := append([]string{"fit", table, "--lambda", "0.3", "--workers", "1", "--proof", name}, options...)
	if status, _, stderr := run(proof...); status != exitDone {
		t.Fatalf("%q: status %d: %s", proof, status, stderr)
	}
	learn := process.NewLearning()
	for at := 0; at < len(options); at++ {
		o, text := option.Find(learn.Table, strings.TrimPrefix(options[at], "--")), "true"
		if o.Holder != "" {
			at++
			text = options[at]
		}
		if err := o.Set(text); err != nil {
			t.Fatal(err)
		}
	}
	data, err := family.Read(table, learn.Family().Reading(learn.Reading))
	if err != nil {
		t.Fatal(err)
	}
	p, err := family.NewProblem(t.Context(), data, learn.Options)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, captured := range p.Set.Captured() {
		var set big.Int
		for i := range uint(data.N) {
			if captured.Test(i) {
				set.SetBit(&set, int(i), 1)
			}
		}
		want = append(want, fmt.Sprintf("%x", &set))
	}
	x.lines = append(x.lines, fmt.Sprintf("%s %q", table, options))
	x.args, x.want = append(x.args, name, table), append(x.want, want)
}

// readAll calls the main function of a script with two arguments each. To start Python takes
// longer than to read a table.
const readAll = `
import runpy, sys
main = runpy.run_path(sys.argv[1])["main"]
for proof, table in zip(sys.argv[2::2], sys.argv[3::2]):
    main(proof, table)
    print()
`

// compare has the Python reader make the antecedents, too.
func (x *readings) compare(t *testing.T, interpreter, script string) {
	t.Helper()
	output, err := exec.Command(interpreter, append([]string{"-c", readAll, script}, x.args...)...).CombinedOutput()
	parts := strings.Split(string(output), "\n\n")
	if err != nil || len(parts) != len(x.want)+1 {
		t.Fatalf("%d tables, of the Python reader %d: %v\n%s", len(x.want), len(parts)-1, err, output)
	}
	for k, want := range x.want {
		got := strings.Fields(parts[k])
		if len(got) != len(want)+2 {
			t.Fatalf("%s: %d antecedents, the Python reader says\n%s", x.lines[k], len(want), parts[k])
		}
		for i, set := range want {
			if got[i+2] != set {
				t.Errorf("%s: antecedent %d captures %s, by the Python reader %s", x.lines[k], i, set, got[i+2])
			}
		}
		if got[0] != got[1] {
			t.Errorf("%s: the digest of the proof is %s, by the Python reader %s", x.lines[k], got[0], got[1])
		}
	}
}

func TestAntecedentsWithoutOurReader(t *testing.T) {
	interpreter, script := python(t)
	var all readings
	examples, err := filepath.Abs("../../../../examples")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, name := range []string{"monk1", "monk2", "monk3", "tictactoe"} {
		all.add(t, filepath.Join(examples, name+".csv"))
	}
	write(t, map[string]string{"bikes.csv": bikes, "numbers.csv": numbersTable(), "texts.csv": textsTable(), "german.csv": germanTable(),
		"towns.csv": townsTable(),
		"bars.csv":  "a,b|c|d\nx,1|y|1\ny,2|z|0\nx,2|z|1\n"})
	all.add(t, "bikes.csv", bikeOptions...)
	for _, options := range [][]string{
		nil,
		{"--negations", "--max-card", "3", "--min-support", "1/20"},
		{"--drop-missing", "--weight", "w"},
		{"--cuts", "age=30,40,55.5", "--negations", "--class-weights", "1,2.5"},
		{"--max-antecedents", "40", "--max-card", "3", "--class-weights", "balanced"},
		{"--max-antecedents", "90"},
		{"--max-antecedents", "3", "--max-card", "4", "--min-support", "0.35", "--negations"},
		{"--target", "income", "--positive", "> 1e3"},
		{"--target", "age", "--positive", "> 40", "--drop-unlabelled", "--categories", "children,income"},
	} {
		all.add(t, "numbers.csv", options...)
	}
	for _, options := range [][]string{
		{"--target", "class"},
		{"--target", "class", "--missing", "none, '?'", "--negations"},
		{"--target", "class", "--drop-missing"},
		{"--target", "c5", "--no-header", "--positive", "good", "--sep", ","},
		{"--target", "city.1", "--positive", "none", "--missing", "", "--drop-missing", "--ignore", `"a ""b"", c"`},
	} {
		all.add(t, "texts.csv", options...)
	}
	all.add(t, "bars.csv")
	const tabs = "1,5\t1,2,3\t0\n2,25\tx\t1\n-3,5e1\t,\t1\n4\t1.000,5\t0\n"
	write(t, map[string]string{"tabs.tsv": "size\tplace\ty\n" + strings.Repeat(tabs, 8)})
	all.add(t, "tabs.tsv", "--decimal-comma")
	write(t, map[string]string{"commas.tsv": strings.Repeat("4,6\t3,5\t1\n5,5\t9,9\t1\n2,6\t1,4\t0\n", 8)})
	all.add(t, "commas.tsv", "--decimal-comma", "--no-header")
	all.add(t, "towns.csv", "--negations", "--min-support", "0.001")
	write(t, map[string]string{"nameless.csv": ",b,class\nx,1,1\nx,2,0\ny,1,1\ny,3,0\n"})
	all.add(t, "nameless.csv")
	all.add(t, "nameless.csv", "--use", "c1")
	write(t, map[string]string{"dates.csv": datesTable()})
	for _, options := range [][]string{
		{"--ordered", "stage=low<mid<high<worst<last<none"},
		{"--bins", "3", "--categories", "hired"},
		{"--ordered", "stage=last<mid<high<worst<low<none", "--bins", "2"},
		{"--drop-missing"},
	} {
		all.add(t, "dates.csv", options...)
	}
	write(t, map[string]string{"dense.csv": denseTable()})
	all.add(t, "dense.csv", "--min-support", "0.4", "--max-card", "3", "--max-antecedents", "3")
	all.add(t, "german.csv", "--weight", "gewicht", "--drop-missing")
	write(t, map[string]string{"classes.csv": classesTable()})
	for _, options := range [][]string{
		nil,
		{"--use", "patient_id,n"},
		{"--weight", "times", "--max-card", "3", "--negations"},
		{"--weight", "share", "--class-weights", "balanced", "--max-antecedents", "30"},
		{"--weight", "times", "--class-weights", "0.12345678901234,2.718281828459,1"},
		{"--class-weights", "0.1428571428571428,1,0.3333333333333333"},
		{"--positive", "b", "--weight", "times", "--ordered", `"si=ze"="<18"<"18-30"<">30"<"31 ""x"""`},
	} {
		all.add(t, "classes.csv", options...)
	}
	all.compare(t, interpreter, script)
}

// townsTable has groups of towns, some towns are rare or missing.
func townsTable() string {
	var b strings.Builder
	b.WriteString("town,class\n")
	r := rand.New(rand.NewPCG(4, 4))
	for range 500 {
		town := r.IntN(1 + r.IntN(45))
		text := fmt.Sprintf("\"Ärø, %d\"", town*7%45)
		if r.IntN(20) == 0 {
			text = "NA"
		}
		fmt.Fprintf(&b, "%s,%d\n", text, min(1, (town%3+r.IntN(3))/2))
	}
	return b.String()
}

// classesTable has three classes, ids, numbers of rows, weights of many digits, and levels with signs.
func classesTable() string {
	var b strings.Builder
	b.WriteString("n,patient_id,si=ze,town,x,times,share,class\n")
	r := rand.New(rand.NewPCG(6, 6))
	for i := range 240 {
		k := r.IntN(3)
		fmt.Fprintf(&b, "%d,%d,%s,t%d,%.2f,%d,%.17f,%s\n", i, 7000+i*3, []string{"<18", "18-30", ">30",
			"\"31 \"\"x\"\"\""}[min(3, k+r.IntN(3))], r.IntN(45),
			r.NormFloat64()+float64(k), 1+r.IntN(4), r.Float64(), []string{"a", "b", "10"}[k])
	}
	return b.String()
}

// numbersTable has integers, decimals, few numbers, infinities, weights, missing
// cells and a column of more than 4,096 different numbers.
func numbersTable() string {
	var b strings.Builder
	b.WriteString("age,temperature,children,odds,income,w,class\n")
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		age, odds := fmt.Sprint(18+r.IntN(60)), fmt.Sprintf("%.1e", r.Float64())
		class := r.IntN(2)
		switch r.IntN(20) {
		case 0:
			age = "NA"
		case 1:
			odds = "-inf"
		case 2:
			class = 1 - class
		}
		fmt.Fprintf(&b, "%s, %.2f ,%d,%s,%d,%v,%d\n", age, 40*r.Float64()-20+5*float64(class), r.IntN(4), odds, r.IntN(3000),
			[]string{"1", "0.5", ".25", "3e0", "1.10"}[r.IntN(5)], class)
	}
	return b.String()
}

// datesTable has dates in four ways of writing, one of them ambiguous, and levels.
func datesTable() string {
	var b strings.Builder
	b.WriteString("hired,seen,left,ambiguous,stage,class\n")
	r := rand.New(rand.NewPCG(9, 9))
	for range 200 {
		hired, class := r.IntN(900), r.IntN(2)
		first := time.Date(2017, 11, 2, 8, 0, 0, 0, time.UTC).AddDate(0, 0, hired-200*class)
		left := first.Format("2.1.2006")
		if r.IntN(9) == 0 {
			left = "NA"
		}
		fmt.Fprintf(&b, "%s,%s,%s,%d/%d/2019,%s,%d\n", first.Format("2006-01-02"),
			first.Add(time.Duration(r.IntN(9999))*time.Second).Format("2006-01-02T15:04:05"),
			left, 1+r.IntN(12), 1+r.IntN(12), []string{"low", "mid", "high", "worst", "last", "none"}[min(5, class+r.IntN(6))], class)
	}
	return b.String()
}

// textsTable has quotes, line ends in cells, spaces, names that are the same or
// missing, rare texts and free text.
func textsTable() string {
	var b strings.Builder
	b.WriteString("\ufeff\"a \"\"b\"\", c\",city,city,,class, spoken  language ,free\r\n")
	r := rand.New(rand.NewPCG(2, 2))
	for i := range 200 {
		city := []string{"\"new york\"", " paris ", "\"São Paulo, \"\"BR\"\"\"", "\"two\r\nlines\"", "new york"}[r.IntN(5)]
		if i%2 == 0 {
			city = "new york"
		}
		rare := fmt.Sprintf("t%d", r.IntN(5)*r.IntN(20))
		fmt.Fprintf(&b, "%s,%s,%s,%s,%s,%s,%q\r\n", []string{"Yes", "no", "YES"}[r.IntN(3)], city,
			[]string{"a", "", "?", "none"}[r.IntN(4)], rare,
			[]string{"good", "bad"}[r.IntN(2)], []string{"0", "1.0", "null", "\"\""}[r.IntN(4)], fmt.Sprintf("text %d of many", i))
		if i%50 == 0 {
			b.WriteString("\r\n")
		}
	}
	return b.String()
}

// denseTable has flags that hold so often that only three together are an antecedent,
// and more pairs of them than may be extended.
func denseTable() string {
	var b strings.Builder
	b.WriteString("a,b,c,d,e,f,g,h,class\n")
	r := rand.New(rand.NewPCG(4, 4))
	for range 200 {
		for range 8 {
			fmt.Fprintf(&b, "%d,", min(1, r.IntN(5)))
		}
		fmt.Fprintln(&b, r.IntN(2))
	}
	return b.String()
}

// germanTable has semicolons, decimal commas and a column of thousands of numbers.
func germanTable() string {
	var b strings.Builder
	b.WriteString("größe;viele;gewicht;wahr\n")
	r := rand.New(rand.NewPCG(3, 3))
	for i := range 4500 {
		weight := []string{"1", "0,5", "2,25"}[r.IntN(3)]
		if i%100 == 0 {
			weight = "NaN"
		}
		size := 150 + r.Float64()*40
		fmt.Fprintf(&b, "%s;%s;%s;%v\n", strings.ReplaceAll(fmt.Sprintf("%.1f", size), ".", ","),
			strings.ReplaceAll(fmt.Sprintf("%.6f", r.Float64()), ".", ","), weight, size > 170 != (r.IntN(9) == 0))
	}
	return b.String()
}
