// Package lint holds the rules that the compiler does not: which package may
// import which, and what libraries leave to the command line. It has tests only.
// Begin with testdata/rooms.txt: a package that is added to the module gets a row in its
// table.
package lint
