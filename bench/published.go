package bench

import (
	"parcorels/dataset"
	"parcorels/ratio"
	"parcorels/rules"
)

// singles are all features alone.
var singles = rules.Options{MaxCard: 1, MinSupport: ratio.New(0, 1)}

// published returns the instances of the papers. Their files are other
// people's and are not part of this project.
func published() []Instance {
	list := []Instance{
		{Name: "compas", About: "COMPAS as the reference implementation ships it, 155 antecedents", File: "corels/compas_train.out.gz"},
		{Name: "votes", About: "house votes 1984, mined by the papers' authors", File: "corels/votes.out.gz"},
		{Name: "bcancer", About: "breast cancer Wisconsin, likewise", File: "corels/bcancer.out.gz"},
		{Name: "haberman", About: "Haberman's survival, likewise", File: "corels/haberman.out.gz"},
		{Name: "cars", About: "car evaluation, likewise", File: "corels/cars.out.gz"},
		{Name: "monks1", About: "MONK's first problem, likewise", File: "corels/monks1.out.gz"},
		{Name: "monks2", About: "MONK's second problem, likewise", File: "corels/monks2.out.gz"},
		{Name: "monks3", About: "MONK's third problem, likewise", File: "corels/monks3.out.gz"},
		{Name: "tdata_R", About: "tic-tac-toe, likewise", File: "corels/tdata_R.out.gz"},
		{Name: "ttt_train", About: "tic-tac-toe, training part, as the SBRL authors mined it", File: "corels/ttt_train.out.gz"},
		{Name: "nyclu", About: "NYPD 2014, frisked or searched: weapon? 46 antecedents as in the paper, classes balanced by weights",
			File: "tables/nyclu2014-weapon.csv.gz", reading: dataset.Options{ClassWeights: "balanced"},
			mining: rules.Options{MaxCard: 1, Negations: true}, keep: negatesOnlyFlags},
	}
	list = append(list, rawTables()...)
	for _, b := range []struct{ name, file, about string }{
		{"compas-pairs", "compas-binary", "COMPAS"},
		{"monk1-pairs", "monk1-train", "MONK's first problem, training set"},
		{"monk2-pairs", "monk2-train", "MONK's second problem, training set"},
		{"monk3-pairs", "monk3-train", "MONK's third problem, training set"},
		{"tictactoe-pairs", "tic-tac-toe", "tic-tac-toe"},
		{"fico-pairs", "fico_binary", "FICO's home equity lines of credit"},
		{"cars-pairs", "car-evaluation", "car evaluation"},
		{"balance-pairs", "balance-scale", "balance scale"},
	} {
		name := b.file
		if name == "fico_binary" {
			name = "fico"
		}
		list = append(list, Instance{Name: name, About: b.about + ", 0/1 features", File: "binary/" + b.file + ".csv.gz", mining: singles})
		list = append(list, Instance{Name: b.name, About: b.about + ", 0/1 features, singles and pairs", File: "binary/" + b.file + ".csv.gz"})
	}
	return list
}

// rawTables returns the raw tables of the papers on rule sets and Bayesian lists that are at
// hand. Those of the former have their numbers cut at deciles as in the paper.
// Antecedents have two conditions; of tic-tac-toe three, as lines have.
func rawTables() []Instance {
	pairs, lines := rules.Options{MaxCard: 2, MinSupport: ratio.New(1, 10)}, rules.Options{MaxCard: 3, MinSupport: ratio.New(1, 20)}
	return []Instance{
		{Name: "tic-tac-toe-table", About: "tic-tac-toe, raw table", File: "tables/tic-tac-toe.data.gz", reading: dataset.Options{NoHeader: true, Positive: "positive"}, mining: lines},
		{Name: "pima", About: "diabetes of Pima women, raw table", File: "tables/pima-indians-diabetes.data.gz", reading: deciles(dataset.Options{NoHeader: true, Positive: "1"}), mining: pairs},
		{Name: "mushroom", About: "mushrooms, which are poisonous, raw table", File: "tables/agaricus-lepiota.data.gz", reading: dataset.Options{NoHeader: true, Target: "c1", Positive: "p"}, mining: pairs},
		{Name: "heloc", About: "FICO's home equity lines of credit, raw table", File: "tables/heloc.csv.gz", reading: deciles(dataset.Options{Target: "RiskPerformance", Positive: "Good"}), mining: pairs},
		{Name: "adult", About: "adult, training part of the census table, raw", File: "tables/adult.data.gz", reading: deciles(dataset.Options{NoHeader: true, Positive: ">50K"}), mining: pairs},
		{Name: "pima-numbers", About: "diabetes of Pima women, every threshold", File: "tables/pima-indians-diabetes.data.gz", reading: dataset.Options{NoHeader: true, Positive: "1", AllCuts: true}},
		{Name: "heloc-numbers", About: "FICO's home equity lines of credit, every threshold", File: "tables/heloc.csv.gz", reading: dataset.Options{Target: "RiskPerformance", Positive: "Good", AllCuts: true}},
		{Name: "heloc-labels", About: "FICO's home equity lines of credit, cut by the labels", File: "tables/heloc.csv.gz", reading: dataset.Options{Target: "RiskPerformance", Positive: "Good"}, mining: pairs},
		{Name: "adult-labels", About: "adult, training part of the census table, cut by the labels", File: "tables/adult.data.gz", reading: dataset.Options{NoHeader: true, Positive: ">50K"}, mining: pairs},
		{Name: "nursery", About: "nursery, whether the child is a special priority, raw table", File: "tables/nursery.data.gz", reading: dataset.Options{NoHeader: true, Positive: "spec_prior"}, mining: pairs},
		{Name: "nursery-classes", About: "nursery, 5 classes, raw table", File: "tables/nursery.data.gz", reading: dataset.Options{NoHeader: true, Multiclass: true}, mining: pairs},
		{Name: "car-table", About: "car evaluation, whether a car is acceptable, raw table", File: "tables/car.data.gz", reading: dataset.Options{NoHeader: true, Positive: "unacc"}, mining: pairs},
		{Name: "car-classes", About: "car evaluation, 4 classes, raw table", File: "tables/car.data.gz", reading: dataset.Options{NoHeader: true, Multiclass: true}, mining: pairs},
		{Name: "balance-classes", About: "balance scale, 3 classes, raw table", File: "tables/balance-scale.data.gz", reading: dataset.Options{NoHeader: true, Target: "c1", Multiclass: true}, mining: pairs},
		{Name: "telco", About: "customers of a telephone company who leave it, raw table", File: "tables/telco-customer-churn.csv.gz", reading: dataset.Options{Target: "Churn", Positive: "Yes", Ignore: []string{"customerID"}}, mining: pairs},
	}
}

func deciles(o dataset.Options) dataset.Options {
	o.Bins, o.CutsBy = 10, dataset.ByQuantile
	return o
}

// negatesOnlyFlags leaves out the negations of values of columns with several:
// the paper has 28 values and the 18 negations of its flags.
func negatesOnlyFlags(set *rules.Set, a rules.Antecedent) bool {
	l := a.Literals[0]
	return !l.Negated || set.Data.Features[l.Feature].Group < 0
}
