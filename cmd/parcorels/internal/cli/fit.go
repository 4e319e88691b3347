package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"parcorels/bitvec"
	"parcorels/instance"
	"parcorels/parallel"
	"parcorels/report"
	"parcorels/rulelist"
	"parcorels/rulelist/search"
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

// fitted is the outcome of fit: what its text and its JSON object tell.
type fitted struct {
	set      *rules.Set
	instance *instance.Instance
	options  search.Options
	result   search.Result
	model    *rulelist.Model
	path     string
	proof    string        // file with the proof; "" for none
	proofTo  string        // file that it is to be in; "" for none
	read     time.Duration // until the antecedents were there
	total    time.Duration // until the result was there
	limit    time.Duration // --time; 0 for none

	keeper     keeper
	trace      []report.Look // of the search; nil unless --json asks for it
	proofFault error         // why there is no proof where one was to be

	aloud  bool    // what is searched is told before the list is there
	teller *teller // nil where a program asks
}

func fit(ctx context.Context, e *env, s *settings, args []string) error {
	path := args[0]
	if err := s.family().check(s); err != nil {
		return err
	}
	if s.family().learn != nil {
		return fitFamily(ctx, e, s, path)
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
	f := &fitted{path: path, proofTo: s.proof, keeper: keeper, aloud: !s.quiet && s.json != "-" && s.output != "-"}
	if f.set, err = e.antecedents(ctx, s, path); err != nil {
		return err
	}
	f.read, f.limit = time.Since(e.start), s.search.Time
	search := f.solve
	switch {
	case keeper.part != nil:
		search = f.solveKeeping
	case s.proof != "":
		search = f.solveProving
	}
	if err = search(ctx, e, s); err != nil {
		return err
	}
	f.total = time.Since(e.start)
	if err = f.write(e, s); err != nil {
		return err
	}
	if f.result.Status == parallel.Interrupted {
		return errStopped
	}
	return f.keeper.finish(f.result)
}

// solve reduces the problem, searches, and makes the model.
func (f *fitted) solve(ctx context.Context, e *env, s *settings) error {
	var err error
	f.instance, err = await(ctx, func() (*instance.Instance, error) { return instance.FromSet(f.set) })
	if err != nil {
		return err
	}
	f.options = s.search
	f.options.Memory = boundMemory(s.search.Memory)
	if limit := s.search.Time; limit > 0 {
		f.options.Time = max(limit-time.Since(e.start), 1)
	}
	f.options.Progress = f.watch(e, s)
	if e.client != nil {
		f.options.Progress = e.client.progress
	}
	if s.json != "" {
		f.options.Progress = f.record(f.options.Progress)
	}
	if f.options.Checkpoint, err = f.keeper.open(f.set); err != nil {
		return err
	}
	f.result, err = search.Solve(ctx, f.instance, f.options)
	if f.teller != nil {
		f.teller.end()
	}
	var opening partError
	switch {
	case errors.Is(err, search.ErrCheckpoint):
		return fmt.Errorf("%s: %w", s.resume, err)
	case errors.As(err, &opening):
		return opening.error
	case errors.Is(err, search.ErrProof):
		return fmt.Errorf("%s: %w", f.keeper.part.from, err)
	case err != nil:
		return fmt.Errorf("%s: %w", f.path, err)
	}
	f.model, err = f.modelOf(s, f.result.Rules, f.result.Default, rulelist.Meta{
		Status:     f.result.Status,
		Objective:  f.result.Objective,
		LowerBound: f.result.LowerBound,
	})
	return err
}

// modelOf returns a list as a model.
func (f *fitted) modelOf(s *settings, found []search.Rule, otherwise bool, meta rulelist.Meta) (*rulelist.Model, error) {
	list := make([]rulelist.Rule, len(found))
	for i, r := range found {
		list[i] = rulelist.Rule(r)
	}
	meta.Software, meta.Lambda, meta.Options = "parcorels "+version(), s.search.Lambda, s.reading()
	m, err := rulelist.New(f.set, list, otherwise, meta)
	if err == nil {
		m.About().Options = s.again()
	}
	return m, err
}

// write puts the result everywhere it is to go. A file that cannot be written
// does not keep the list, perhaps of hours of search, from being printed.
func (f *fitted) write(e *env, s *settings) error {
	errs := []error{f.proofFault, f.result.CheckpointErr}
	if s.output != "" {
		errs = append(errs, e.writeFile(s.output, f.model.Encode))
	}
	if s.json != "" {
		errs = append(errs, e.writeFile(s.json, f.encode))
	}
	if e.client != nil {
		errs = append(errs, e.client.result(f.object(), f.model, f.set.Data.Columns))
	}
	if s.json != "-" && s.output != "-" {
		var err error
		if f.teller != nil {
			err = f.teller.wasTold()
		}
		if err == nil {
			err = e.print(f.text())
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

// encode writes the JSON object of the result.
func (f *fitted) encode(w io.Writer) error { return encodeJSON(w, f.object()) }
