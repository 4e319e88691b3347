package search

import (
	"bufio"
	"compress/gzip"
	"os"
	"strings"
	"testing"
	"time"
	"fmt"

	"github.com/bits-and-blooms/bitset"

	"parcorels/bitvec"
	"parcorels/instance"
	"parcorels/ratio"
)

func load(t testing.TB, name string) *instance.Points {
	f, err := os.Open("/work/shared/data/binary/" + name + ".csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	z, _ := gzip.NewReader(f)
	sc := bufio.NewScanner(z)
	var rows [][]string
	for sc.Scan() {
		rows = append(rows, strings.Split(sc.Text(), ";"))
	}
	rows = rows[1:]
	n, m := len(rows), len(rows[0])-1
	labels := bitset.New(uint(n))
	cols := make([]*bitset.BitSet, m)
	for j := range cols {
		cols[j] = bitset.New(uint(n))
	}
	for i, r := range rows {
		for j := range m {
			cols[j].SetTo(uint(i), r[j] == "1")
		}
		labels.SetTo(uint(i), r[m] == "1")
	}
	p, err := instance.NewPoints(cols, labels, nil, n)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestProto(t *testing.T) {
	for _, c := range []string{"monk1-train .01", "monk2-train .01", "monk3-train .01", "compas-binary .01", "compas-binary .001", "car-evaluation .01", "car-evaluation .005", "car-evaluation .001", "tic-tac-toe .005", "tic-tac-toe .001", "fico_binary .01", "fico_binary .005", "fico_binary .0025", "fico_binary .001", "balance-scale .001"} {
		name, l, _ := strings.Cut(c, " ")
		p := load(t, name)
		lam, _ := ratio.Parse(l)
		start := time.Now()
		s, base, points := newSplits(p)
		worst, _ := s.LeafCost(s.All())
		pr, err := newPrices(lam, p.Total, worst, points)
		if err != nil {
			t.Fatal(err)
		}
		se := &search{prices: pr, splits: s, hasher: bitvec.NewHasher(s.Words()), cache: newCache()}
		w := se.newWorker()
		w.frames = []frame{{set: s.All(), levels: unlimited, key: se.hasher.Hash(s.All())}}
		lo, up := w.solve(0, far)
		el := time.Since(start)
		leaves := se.leaves(up)
		errs := base + (up-leaves*se.price)/se.unit
		lf := lam.Float()
		fmt.Println(c, points, s.Words(), s.Features(), lo == up, float64(errs)/float64(p.Total)+float64(leaves)*lf, leaves, el, w.counted, se.cache.used)
	}
}
