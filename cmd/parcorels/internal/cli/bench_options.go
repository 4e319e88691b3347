package cli

import (
	"os"
	"time"

	"parcorels/bench"
	"parcorels/ratio"
)

// benchSettings is what the options of bench say.
type benchSettings struct {
	data         string
	lambdas      []string
	only         string
	warmup       bool
	repeats      int
	each         time.Duration
	appending    bool
	external     string
	externalName string
	externalTime time.Duration
	note         string
	write        string
}

// benchGroup is what is run, and how often.
func benchGroup(s *settings) group {
	return group{"Running", []option{
		{name: "data", value: "DIR", unset: "$" + bench.DataEnv, expect: "a folder", text: "folder with the papers' data: corels/, binary/ and tables/", set: notEmpty(&s.bench.data)},
		{name: "lambda", value: "LIST", def: "0.01", expect: "numbers between 0 and 1 with commas between them", text: "prices of the instances named; suites have their own", set: s.setPrices},
		{name: "workers", value: "N", unset: "all cores", expect: "an integer from 1 to 4096", text: "worker goroutines for the instances named; suites have their own", set: whole(&s.search.Workers, 1, 4096)},
		{name: "only", value: "TEXT", expect: "part of a name", text: "run only the cases with this in their names, as they are printed", set: notEmpty(&s.bench.only)},
		{name: "time", value: "DURATION", unset: "of the suite", expect: "a duration such as 90s, 10m or 1h30m", text: "stop each search after this long", set: duration(&s.search.Time)},
		{name: "repeats", value: "N", def: "5", expect: "an integer from 1 to 1000", text: "runs of each case that count", set: whole(&s.bench.repeats, 1, 1000)},
		{name: "each", value: "DURATION", def: "20s", expect: "a duration such as 90s, 10m or 1h30m", text: "no further run of a case once its runs took this long together", set: duration(&s.bench.each)},
		{name: "no-warmup", text: "count the first run of each case too", set: func(string) error { s.bench.warmup = false; return nil }},
		{name: "external", value: "COMMAND", expect: "a program with its arguments, among them {lambda}, and {out} or {rows}", text: "also run another solver on each instance; {out}, {label}, {minor}, {rows}, {lambda} and {depth} are replaced by files, λ and the limit on the depth",
			set: notEmpty(&s.bench.external)},
		{name: "external-name", value: "NAME", unset: "external", expect: "a name", text: "what tables call it", set: notEmpty(&s.bench.externalName)},
		{name: "external-time", value: "DURATION", unset: "that of --time", expect: "a duration such as 90s, 10m or 1h30m", text: "end it after this long", set: duration(&s.bench.externalTime)},
		{name: "output", short: "o", value: "FILE", expect: "a file name", text: "keep the records there; - for stdout and nothing else there", set: notEmpty(&s.output)},
		{name: "append", text: "add to the records that are there", set: on(&s.bench.appending)},
		{name: "note", value: "TEXT", expect: "a text", text: "what else is to be known of the machine, for the records", set: notEmpty(&s.bench.note)},
		{name: "quiet", text: "no line for each run on stderr", set: on(&s.quiet)},
	}}
}

// benchReportGroup is what report does besides printing.
func benchReportGroup(s *settings) group {
	return group{"Reporting", []option{
		{name: "write", value: "DOCUMENT", expect: "a file name", text: "renew the tables between the marks of this Markdown file, from the records that the marks name", set: notEmpty(&s.bench.write)},
	}}
}

// setPrices keeps the texts: records name λ as the user does.
func (s *settings) setPrices(text string) error {
	items, err := nonEmpty(text)
	if err != nil {
		return err
	}
	for _, item := range items {
		if _, err := exact(item, ratio.Ratio.Within); err != nil {
			return err
		}
	}
	s.bench.lambdas = items
	return nil
}

// newBenchSettings are the settings before any option is read.
func newBenchSettings() benchSettings {
	return benchSettings{data: os.Getenv(bench.DataEnv), warmup: true}
}
