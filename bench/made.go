package bench

import (
	"bytes"
	"fmt"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/generate"
)

// made returns the instances that the project makes itself; they need no
// files. The tables are those of "parcorels data".
func made() []Instance {
	return []Instance{
		generated("monk1", "MONK's first problem, all 432 robots"),
		generated("monk2", "MONK's second problem, all 432 robots"),
		generated("monk3", "MONK's third problem, all 432 robots"),
		generated("tictactoe", "the 958 boards at which tic-tac-toe ends"),
	}
}

func generated(name, about string) Instance {
	return Instance{Name: name, About: about + ", singles and pairs", make: func() (*dataset.Dataset, error) {
		var b bytes.Buffer
		if err := generate.Write(&b, name); err != nil {
			return nil, err
		}
		return dataset.ReadFrom(&b, name, dataset.Options{})
	}}
}

// family is made instances of any size; what follows the prefix of a name
// says which.
type family struct {
	prefix, usage, about string
	parse                func(name, text string) (Instance, error)
}

var families = []family{
	{"stopfrisk/", "stopfrisk/ROWS", "stops as \"parcorels data stopfrisk --balance\" makes them, 28 antecedents as in the papers' NYPD problem", stopFriskInstance},
	{"weak/", "weak/ROWSxFLAGS", "random flags that each say little about the class", weakInstance},
	{"planted/", "planted/ROWSxFLAGS", "random flags, and a class that a list of three rules tells in nine of ten samples", plantedInstance},
	{"compas-binary/", "compas-binary/ROWSxFEATURES", "COMPAS with 0/1 features, drawn or again and again, those of the optimal tree first", resizedInstance},
	{"fico/", "fico/ROWSxFEATURES", "FICO's lines of credit, likewise", resizedInstance},
	{"noisy/", "noisy/ROWSxANTECEDENTSxPERCENT", "numbers cut at quantiles, and a class that a list of four rules tells but for so many wrong labels", noisyInstance},
}

// Families tells people how instances of any size are named.
func Families() string {
	var b strings.Builder
	for _, f := range families {
		fmt.Fprintf(&b, "%s\t%s\n", f.usage, f.about)
	}
	return b.String()
}
