package dataset

import (
	"strings"
	"testing"
)

func TestClasses(t *testing.T) {
	for _, c := range []struct {
		labels, positive string
		want             [2]string
		bits             string
		rest             bool
		note             string
	}{
		{labels: "0 1 1", want: [2]string{"0", "1"}, bits: "011"},
		{labels: "1 0 1", want: [2]string{"0", "1"}, bits: "101"},
		{labels: "no yes no", want: [2]string{"no", "yes"}, bits: "010"},
		{labels: "Y N N", want: [2]string{"N", "Y"}, bits: "100"},
		{labels: "True False True", want: [2]string{"False", "True"}, bits: "101"},
		{labels: "1 n 1", want: [2]string{"1", "n"}, bits: "010", note: `class 1 is "n"`},
		{labels: "0 0.0 0", want: [2]string{"0", "0.0"}, bits: "010", note: `class 1 is "0.0"`},
		{labels: "1 1.0 1", want: [2]string{"1", "1.0"}, bits: "010", note: `class 1 is "1.0"`},
		{labels: "10 9 9", want: [2]string{"9", "10"}, bits: "100", note: "option Positive chooses otherwise"},
		{labels: "-1 1 1", want: [2]string{"-1", "1"}, bits: "011",
			note: `class 1 is "1", class 0 is "-1"; option Positive chooses otherwise`},
		{labels: "- + -", want: [2]string{"-", "+"}, bits: "010", note: "option Positive chooses otherwise"},
		{labels: "ja nein ja", want: [2]string{"nein", "ja"}, bits: "101", note: "option Positive chooses otherwise"},
		{labels: "Non Oui Non", want: [2]string{"Non", "Oui"}, bits: "010", note: "option Positive chooses otherwise"},
		{labels: "ja doch ja", want: [2]string{"doch", "ja"}, bits: "101", note: "option Positive chooses otherwise"},
		{labels: "Yes yes Yes", want: [2]string{"Yes", "yes"}, bits: "010", note: `different classes: "Yes" and "yes"`},
		{labels: "positive negative positive", want: [2]string{"negative", "positive"}, bits: "101",
			note: "option Positive chooses otherwise"},
		{labels: "good bad good", want: [2]string{"bad", "good"}, bits: "101", note: "option Positive chooses otherwise"},
		{labels: "good bad good", positive: "bad", want: [2]string{"good", "bad"}, bits: "010"},
		{labels: "a b c a", positive: "a", want: [2]string{"not a", "a"}, bits: "1001", rest: true},
		{labels: "yes yes yes", want: [2]string{"", "yes"}, bits: "111", note: "the list without rules is optimal"},
		{labels: "no no no", want: [2]string{"no", ""}, bits: "000", note: "the list without rules is optimal"},
		{labels: "no no no", positive: "no", want: [2]string{"", "no"}, bits: "111"},
		{labels: "cat cat cat", want: [2]string{"", "cat"}, bits: "111"},
	} {
		text := "x,label\n"
		for i, l := range strings.Fields(c.labels) {
			text += string(rune('a'+i)) + "," + l + "\n"
		}
		d := read(t, text, Options{Positive: c.positive})
		if d.Classes != c.want || bitText(d, Feature{Bits: d.Labels}) != c.bits || d.OneVsRest != c.rest {
			t.Errorf("%s, positive %q: classes %q, labels %s, one against the rest %v", c.labels, c.positive, d.Classes,
				bitText(d, Feature{Bits: d.Labels}), d.OneVsRest)
		}
		notes := strings.Join(d.Notes, "\n")
		if !strings.Contains(notes, c.note) {
			t.Errorf("%s: notes %q, want %q", c.labels, d.Notes, c.note)
		}
		if c.note == "" && strings.Contains(notes, "chooses otherwise") {
			t.Errorf("%s: notes %q speak of a choice that was made or is obvious", c.labels, d.Notes)
		}
	}
}
