package cli

import (
	"context"
	"fmt"
	"parcorels/cmd/internal/console"
	"time"

	"parcorels/bitvec"
	"parcorels/instance"
	"parcorels/internal/peakmem"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/report"
	"parcorels/rules"
)

func fitCommand() *command {
	return &command{
		name:    "fit",
		summary: "learn a model that is provably optimal",
		usage:   "FILE [options]",
		details: []string{
			"FILE is a table: CSV, TSV or separated by ; or |, with a header, plain or gzip-compressed; - reads it from stdin. Or it is X.out, with its labels in X.label beside it, in the format of the reference implementation of CORELS: a line {name} 0 1 … per antecedent.",
			"The list printed minimises (errors / samples) + λ · (number of rules) over all rule lists on the antecedents. With --model tree it is a decision tree, and λ the price of a leaf; the antecedents are then its splits, single features unless --max-card says otherwise. With --model set it is a set of rules of which one must hold for class 1; its value and what is proved of it are explained in docs/rule-sets.md. With --model bayes it is the rule list of largest posterior, whose rules give probabilities; see docs/bayesian-rule-lists.md. Any number of workers gives the same model. Ctrl-C, or a limit, ends the search early; the best list so far is then printed with a proven lower bound. With --checkpoint the search can be resumed later, even if the process was killed.",
			"How the table is read, column by column, is printed before the search, on stdout unless the model or the JSON object goes there. A search of ten seconds gets one line of advice on stderr, unless --progress never or --quiet is given. The lines of progress tell what improved the list (F before the search, S the search, R a checkpoint resumed), its rules and the share of samples it gets wrong (error), its objective (best), the bound that no list can beat, the gap between the two, the prefixes of lists that are left to look at and that are done, memory and time. What is left grows while the search goes deeper; the list is proved when the gap or what is left is 0. Of a tree they tell leaves, error, objective, bound and gap, the sets counted and those in memory; of a rule set its value, and the steps solved exactly; of a Bayesian rule list the logarithm of its posterior and the bound on that of every list.",
		},
		min: 1, max: 1,
		groups: func(s *settings) []group {
			return []group{familyGroup(s), ruleSetGroup(s), bayesGroup(s), tableGroup(s), miningGroup(s), searchGroup(s), keepingGroup(s), fitOutputGroup(s)}
		},
		complete: each(endingIn(tableEndings...)),
		run:      fit,
	}
}

// fitted is a fit: what the search of a family is given, and then what it has found.
type fitted struct {
	*env
	settings *settings
	family   *family
	path     string
	set      *rules.Set
	read     time.Duration // until the antecedents were there
	keeper   keeper
	teller   *teller
	table    *progressTable // nil for none
	*finding
}

// finding is what a family's search has found.
type finding struct {
	model   model.Model
	effort  string // "0.01 s, 9,626 counts"
	stats   report.Stats
	opening string       // is printed before the model, unless --quiet is given
	ending  string       // is printed at the end
	proved  bool         // the proof that was asked for is there
	faults  []error      // what went wrong beside the search, as a proof that cannot be written
	finish  func() error // is called when all is written; nil for nothing
}

// fitted returns a fit on antecedents that were just made.
func (e *env) fitted(s *settings, path string, set *rules.Set) *fitted {
	f := &fitted{env: e, settings: s, family: s.family(), path: path, set: set, read: time.Since(e.start), table: e.progressTable(s)}
	f.teller = e.teller(s, f.family.noun())
	f.teller.head, f.teller.ways = f.head, func() []string { return f.family.faster(s, set) }
	return f
}

func fit(ctx context.Context, e *env, s *settings, args []string) error {
	path, family := args[0], s.family()
	if err := family.check(s); err != nil {
		return err
	}
	if err := bitvec.KernelError(); err != nil {
		return err
	}
	keeper, err := e.keeper(s)
	if err != nil {
		return err
	}
	defer keeper.release()
	outputs := []string{s.output, s.json, s.proof, keeper.path}
	if keeper.part != nil {
		outputs = append(outputs, keeper.part.path)
		defer keeper.part.release()
	}
	if err = checkOutputs(outputs, []string{path, s.data.Labels}); err != nil {
		return err
	}
	if family.prepare != nil {
		family.prepare(s)
	}
	f, err := e.learned(ctx, s, path, keeper)
	if err != nil {
		return err
	}
	if err = f.write(); err != nil {
		return err
	}
	switch {
	case f.model.Certificate().Status == parallel.Interrupted:
		return errStopped
	case f.finish != nil:
		return f.finish()
	}
	return nil
}

// learned learns a model of the table at path.
func (e *env) learned(ctx context.Context, s *settings, path string, keeper keeper) (*fitted, error) {
	set, err := e.antecedents(ctx, s, path)
	if err != nil {
		return nil, err
	}
	f := e.fitted(s, path, set)
	f.keeper = keeper
	return f, f.learn(ctx)
}

// learn has the family search for a model.
func (f *fitted) learn(ctx context.Context) (err error) {
	f.finding, err = f.family.learn(ctx, f)
	f.teller.end()
	if err != nil {
		return err
	}
	f.model.About().Options = f.settings.again()
	s := &f.stats
	if f.proved {
		f.ending += fmt.Sprintf("(proof in %s: %s, %s)\n", console.Escape(f.settings.proof), wording.Count(s.ProofBytes, "byte"), wording.Count(s.ProofRecords, "record"))
	} else {
		s.ProofBytes, s.ProofRecords = 0, 0
	}
	s.SecondsTotal, s.SecondsRead = report.Seconds(time.Since(f.start)), report.Seconds(f.read)
	if peak := peakmem.Peak(); peak > 0 {
		s.PeakBytes = peak
	}
	s.CountAntecedents(f.set)
	return nil
}

// about says of which file an error is.
func (f *fitted) about(err error) error { return fmt.Errorf("%s: %w", console.Escape(f.path), err) }

// points makes distinct points of the samples, and begins to tell of the search.
func (f *fitted) points(ctx context.Context) (*instance.Points, error) {
	points, err := await(ctx, func() (*instance.Points, error) { return instance.PointsFromSet(f.set) })
	if err != nil {
		return nil, f.about(err)
	}
	f.teller.points = points.Count
	f.teller.begin(0)
	return points, nil
}

// remaining returns the time that --time leaves to the search, 0 for no limit.
func (f *fitted) remaining() time.Duration {
	if limit := f.settings.search.Time; limit > 0 {
		return max(limit-time.Since(f.start), 1)
	}
	return 0
}

// look tells of a look at the search: its state, and a line of progress where these
// are asked for.
func (f *fitted) look(state string, show func(*progressTable)) {
	f.teller.saw(state)
	if f.table != nil {
		f.teller.tell()
		show(f.table)
	}
}

// better prints a model that is better than those before. A failure to print it is no
// failure of the search.
func (f *fitted) better(text string) { _, _ = fmt.Fprintf(f.stderr, "\n%s\n", text) }

// write puts the result everywhere it is to go. A file that cannot be written
// does not keep the model, perhaps of hours of search, from being printed.
func (f *fitted) write() error {
	s, errs := f.settings, f.faults
	if s.output != "" {
		errs = append(errs, f.writeFile(s.output, f.model.Encode))
	}
	if s.json != "" {
		errs = append(errs, f.writeJSON(s.json, f.object()))
	}
	if f.client != nil {
		errs = append(errs, f.client.result(f.object(), f.model, f.set.Data.Columns))
	}
	if s.json != "-" && s.output != "-" {
		err := f.teller.wasTold()
		if err == nil {
			err = f.print(f.text())
		}
		errs = append(errs, err)
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// object makes the JSON object of the result.
func (f *fitted) object() report.Result {
	o := report.New(f.model, f.path, flaggedAll(f.set.Data.Notes))
	o.Stats = f.stats
	return o
}
