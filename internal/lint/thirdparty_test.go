package lint

import (
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parcorels/internal/testing/must"
)

// TestThirdParty holds THIRD_PARTY.md against the modules that are linked into the program on
// any system that a release is for.
func TestThirdParty(t *testing.T) {
	linked := map[string]bool{"Go": true}
	for _, system := range []string{"linux", "darwin", "windows", "freebsd"} {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "./cmd/parcorels")
		list.Dir = "../.."
		list.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out := must.Get(list.Output())(t)
		for module := range strings.FieldsSeq(string(out)) {
			linked[module] = true
		}
	}
	text := must.Get(os.ReadFile("../../THIRD_PARTY.md"))(t)
	var told []string
	for _, row := range regexp.MustCompile(`(?m)^\| (\S+) \| (?:Apache-2\.0|BSD-[23]-Clause|MIT|0BSD) \|$`).FindAllStringSubmatch(string(text), -1) {
		told = append(told, row[1])
	}
	slices.Sort(told)
	if want := slices.Sorted(maps.Keys(linked)); !slices.Equal(told, want) {
		t.Errorf("THIRD_PARTY.md has the modules %v, linked are %v", told, want)
	}
}
