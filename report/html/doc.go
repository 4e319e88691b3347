// Package html makes a report of a model as one HTML file for people: what the
// model says, what is proved, what it was learned from and how good it is. Begin
// with [New] and [Page.Write].
//
// The file needs no network and no script: style and charts (SVG) are in it, and
// its content security policy allows nothing else. It can be read on a phone, on
// paper, in dark mode and by a screen reader: every chart has its numbers in a
// table or in its label. Texts from data and files are escaped.
package html
