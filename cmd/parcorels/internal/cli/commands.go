package cli

import "sync"

func init() {
	commands = sync.OnceValue(func() []*command {
		return []*command{
			{name: "fit", min: 1, max: 1, begin: beginFit},
			{name: "path", min: 1, max: 1, begin: beginPath},
			{name: "alternatives", min: 1, max: 1, begin: beginAlternatives},
			{name: "cv", min: 1, max: 1, begin: beginCV},
			{name: "predict", min: 2, max: 2, begin: onRows((*rowSettings).predict, "output sep laplace strict quiet")},
			{name: "evaluate", min: 2, max: 2, begin: onRows((*rowSettings).evaluate, "by weight json sep laplace strict")},
			{name: "explain", min: 2, max: 2, begin: onRows((*rowSettings).explain, "row sep laplace strict")},
			{name: "show", min: 1, max: 1, begin: beginShow},
			{name: "report", min: 1, max: 2, begin: onRows((*rowSettings).writeReport, "output by weight sep strict")},
			{name: "export", min: 1, max: 1, begin: beginExport},
			{name: "verify", min: 2, max: 3, begin: beginVerify},
			{name: "serve", max: 1, begin: beginServe},
			{name: "version", begin: without(printVersion)},
			{name: "options", hidden: true, begin: without(printOptions)},
		}
	})
}
