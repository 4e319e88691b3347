package instance_test

import (
	"context"
	"fmt"
	"strings"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/rules"
)

// Six passengers are three points; no model can tell passengers of one point
// apart, so one of the two men in first class is always an error.
func ExamplePoints() {
	table := "sex,class,survived\nf,first,1\nf,first,1\nm,third,0\nm,first,0\nm,first,1\nm,third,0\n"
	d, err := dataset.ReadFrom(strings.NewReader(table), "passengers.csv", dataset.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	set, err := rules.Mine(context.Background(), d, rules.Options{MaxCard: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	points, err := instance.PointsFromSet(set)
	if err != nil {
		fmt.Println(err)
		return
	}
	for p := range points.Count {
		fmt.Printf("point %d: w1 = %d, w0 = %d, satisfies", p, points.Weights[1][p], points.Weights[0][p])
		for a, column := range points.Columns {
			if column[p/64]>>(p%64)&1 == 1 {
				fmt.Printf(" (%s)", set.Antecedents[a].Name)
			}
		}
		fmt.Println()
	}
	in := points.Reduce()
	fmt.Printf("%d points decide, %d error of %d samples is unavoidable\n", in.Points, in.Base, in.Total)
	// Output:
	// point 0: w1 = 2, w0 = 0, satisfies (sex = f) (class = first)
	// point 1: w1 = 0, w0 = 2, satisfies (sex = m) (class = third)
	// point 2: w1 = 1, w0 = 1, satisfies (sex = m) (class = first)
	// 2 points decide, 1 error of 6 samples is unavoidable
}
