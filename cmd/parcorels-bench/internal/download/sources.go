package download

import (
	"slices"
	"strings"
)

// Source is a published file.
type Source struct {
	Name   string // what people call it
	File   string // what it is called where it is published
	URL    string
	Size   int64  // bytes
	SHA256 string // of the bytes, in hexadecimal
	About  string // what it is, a few words
	Use    string // the command that makes something of it
}

const uci = "https://archive.ics.uci.edu/ml/machine-learning-databases/"

// sources are in alphabetical order. The checksums are of the files as the UCI
// Machine Learning Repository, ProPublica and the NYPD have published them.
var sources = []Source{
	{
		"balance-scale", "balance-scale.data", uci + "balance-scale/balance-scale.data",
		6_250, "5611187ef7345d807aa8ae22615945ade52a190537c0b1434bd44c3e877c5bb4",
		"625 balances: to which side they tip", "parcorels fit balance-scale.data --no-header --target c1 --positive L",
	},
	{
		"breast-cancer-wisconsin", "breast-cancer-wisconsin.data", uci + "breast-cancer-wisconsin/breast-cancer-wisconsin.data",
		19_889, "402c585309c399237740f635ef9919dc512cca12cbeb20de5e563a4593f22b64",
		"699 tumours: benign (2) or malignant (4)", "parcorels fit breast-cancer-wisconsin.data --no-header --ignore c1",
	},
	{
		"car", "car.data", uci + "car/car.data",
		51_867, "b703a9ac69f11e64ce8c223c0a40de4d2e9d769f7fb20be5f8f2e8a619893d83",
		"1,728 cars: acceptable or not", "parcorels fit car.data --no-header --positive unacc",
	},
	{
		"compas", "compas-scores-two-years.csv", "https://raw.githubusercontent.com/propublica/compas-analysis/master/compas-scores-two-years.csv",
		2_546_489, "c451db85908b2f7fef1d83203bedf6b71ecda0d5af468d82ae62178f91d0cc7d",
		"7,214 defendants (ProPublica): two_year_recid, among 52 other columns", "",
	},
	{
		"haberman", "haberman.data", uci + "haberman/haberman.data",
		3_103, "b4b7a32586a5668f9f4d6dc8be9d1bc8cd4822523affb1f6b5bfc350681ef3e2",
		"306 patients: alive five years after surgery (1) or not (2)", "parcorels fit haberman.data --no-header",
	},
	monks("monks-1.test", 10_260, "e501ada3b21d876ab86f3e1614747bd2edc443a685f229a25e480aa1dea629f6"),
	monks("monks-1.train", 2_947, "d9c328b6f0e095ab10f7bc8468f1d2141f3d08be73e665c3bf0a62994c922606"),
	monks("monks-2.test", 10_260, "945650affde377c27f6218c8b17893e339ea831f4bee9f9d7123020699cfbf40"),
	monks("monks-2.train", 4_013, "7ebcc278005737caad0cd52e6aa31256a2c3174da8047faf4ac3a9d35edbdaa8"),
	monks("monks-3.test", 10_260, "1d816ae7347afaf895050667adc3f382904c6ed2332d0a2d09353f5e6cb54612"),
	monks("monks-3.train", 2_886, "726f258f80be06af4bb2d8831789514a663f5813e47429211fe19dcd367966f8"),
	{
		"nypd-2014", "sqf-2014-csv.zip", "https://www.nyc.gov/assets/nypd/downloads/zip/analysis_and_planning/stop-question-frisk/sqf-2014-csv.zip",
		2_393_603, "cf8c7ce342c4d9c55054fb8e443354ed18dc1fe3a8758119c5c8748a70a63722",
		"45,787 stops of 2014 (NYPD)", "parcorels-bench nypd sqf-2014-csv.zip -o stops.csv",
	},
	{
		"tic-tac-toe", "tic-tac-toe.data", uci + "tic-tac-toe/tic-tac-toe.data",
		25_866, "a996a756484d0cf8cbad1680d823aadbfcff8ae2d78c450e6999362d580301c5",
		"958 boards at the end of a game: x has won or not", "parcorels fit tic-tac-toe.data --no-header",
	},
	{
		"votes", "house-votes-84.data", uci + "voting-records/house-votes-84.data",
		18_171, "c87c14110a5ba91d4a1e313ec7392824458152bf071fa5f5452340488337936e",
		"435 members of Congress: democrat or republican", "parcorels fit house-votes-84.data --no-header --target c1",
	},
}

func monks(file string, size int64, sum string) Source {
	problem, part, _ := strings.Cut(file, ".")
	about := map[string]string{"train": "robots to learn from", "test": "all 432 robots"}[part]
	return Source{
		strings.ReplaceAll(file, ".", "-"), file, uci + "monks-problems/" + file, size, sum,
		"MONK's problem " + strings.TrimPrefix(problem, "monks-") + ", " + about,
		"parcorels fit " + file + " --no-header --sep space --target c2 --ignore c9",
	}
}

// Sources returns all that can be downloaded, by name.
func Sources() []Source { return slices.Clone(sources) }

// Find returns the source of that name.
func Find(name string) (Source, bool) {
	for _, s := range sources {
		if s.Name == name {
			return s, true
		}
	}
	return Source{}, false
}
