package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"parcorels/fleet"
)

func work(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var creds string
	var w fleet.Worker
	var memory float64
	var patience time.Duration
	f := newFlags("work", "URL --creds FILE [options]", stdout)
	f.StringVar(&creds, "creds", "", "credentials that serve has made: worker.creds in its folder")
	f.IntVarP(&w.Workers, "workers", "w", 0, "goroutines of the search (default: all processors)")
	f.Float64Var(&memory, "memory", 0, "most gigabytes of the search (default: no limit)")
	f.StringVar(&w.Name, "name", "", "name of this worker (default: of the host and the process)")
	f.DurationVar(&patience, "patience", 10*time.Minute, "how long to wait for a server that is away")
	rest, helped, err := parse(f, args, 1, "the URL of the server")
	switch {
	case helped || err != nil:
		return err
	case creds == "":
		return usageError{errors.New("--creds FILE is missing: serve has made it, and says where")}
	case w.Workers < 0 || memory < 0 || patience <= 0:
		return usageError{errors.New("--workers, --memory and --patience: expected no negative number")}
	}
	c, err := fleet.ReadCredentials(creds)
	if err != nil {
		return usageError{err}
	}
	w.Memory = int64(memory * (1 << 30))
	say := func(text string) { fmt.Fprintf(stderr, "parcorels-fleet: %s\n", text) }
	w.Say = say
	nc, err := fleet.Connect(ctx, rest[0], c, "parcorels-worker", patience, say)
	if err != nil {
		return err
	}
	defer nc.Close()
	return w.Run(ctx, nc)
}

// folderOf reads the arguments of a command about a job; "" if its help was asked for.
func folderOf(name string, args []string, stdout io.Writer) (folder string, err error) {
	f := newFlags(name, "--dir FOLDER", stdout)
	f.StringVar(&folder, "dir", "", "folder of the job")
	_, helped, err := parse(f, args, 0, "no argument")
	if err == nil && !helped && folder == "" {
		err = usageError{errors.New("--dir FOLDER is missing")}
	}
	return folder, err
}

func status(ctx context.Context, args []string, stdout, _ io.Writer) error {
	folder, err := folderOf("status", args, stdout)
	if folder == "" || err != nil {
		return err
	}
	l, err := fleet.Status(ctx, folder)
	if err != nil {
		return err
	}
	fmt.Fprint(stdout, lines(l, true))
	for name, n := range l.Refused {
		fmt.Fprintf(stdout, "    %s: %d messages refused\n", name, n)
	}
	return nil
}

func stop(ctx context.Context, args []string, stdout, _ io.Writer) error {
	folder, err := folderOf("stop", args, stdout)
	if folder == "" || err != nil {
		return err
	}
	return fleet.Stop(ctx, folder)
}
