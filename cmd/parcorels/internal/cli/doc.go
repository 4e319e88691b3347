// Package cli is the command line of parcorels: what a user types and sees.
//
// Begin with [Process.Run]. It is the whole program but for the process around it, so that tests can
// call it. A command reads its settings from the table of options (options.go),
// which also makes its help, calls the packages that do the work, and writes
// to the standard streams it was given.
//
// # The framework
//
// Commands and flags run on package cobra: it is kept by many, completes command
// lines in four shells, tells which errors
// are unknown names and which are values (so that every mistake keeps its own
// line), and adds .4 MB and no measurable time to a start. Packages kong and
// urfave/cli complete less. Help stays ours, since theirs shows
// neither ranges nor groups of options.
//
// # Conventions
//
//   - Results go to stdout, progress and errors to stderr. An error is exactly
//     one line, "parcorels: file:line: column "x": …".
//   - Exit status 0: done, also when a limit ended the search. 1: a result
//     could not be written, or a proof is refused. 2: bad input or usage. 3: no proof, or one
//     that a limit kept from being checked. 130: interrupted.
//   - Files appear whole or not at all (internal/atomicfile).
//   - Lines fit 80 columns where the names in the data allow it.
package cli
