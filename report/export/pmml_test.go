package export

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parcorels/model"
)

// pmmlMain scores rows as the text of PMML 4.4 says, without code of this package: three-valued
// predicates, the first rule or child that is true.
const pmmlMain = `import json, math, sys, xml.etree.ElementTree as ET
header, rows = json.load(sys.stdin)
ns = "{http://www.dmg.org/PMML-4_4}"
root = ET.parse("model.pmml").getroot()
fields = {f.get("name"): f for f in root.iter(ns + "DataField")}
rules = root.find(ns + "RuleSetModel/" + ns + "RuleSet")
tree = root.find(ns + "TreeModel/" + ns + "Node")

def cell(name, text):
    text = text.strip()
    missing = {v.get("value") for v in fields[name] if v.get("property") == "missing"}
    if fields[name].get("dataType") == "string":
        return None if text == "" or text in missing else text
    value = float(text) if text else None
    return None if value is not None and value in {float(m) for m in missing} else value

def holds(p, row):
    tag = p.tag[len(ns):]
    if tag == "CompoundPredicate":
        all_of = p.get("booleanOperator") == "and"
        parts = [holds(c, row) for c in p]
        if (False in parts) if all_of else (True in parts):
            return not all_of
        return None if None in parts else all_of
    if tag in ("True", "False"):
        return tag == "True"
    name, operator = p.get("field"), p.get("operator")
    x = row[name]
    if operator in ("isMissing", "isNotMissing"):
        return (x is None) == (operator == "isMissing")
    if x is None:
        return None
    v = p.get("value") if isinstance(x, str) else float(p.get("value"))
    return {"equal": x == v, "notEqual": x != v, "lessThan": x < v, "lessOrEqual": x <= v, "greaterThan": x > v, "greaterOrEqual": x >= v}[operator]

def share(node, score):
    return next(s.get("probability") for s in node.findall(ns + "ScoreDistribution") if s.get("value") == score)

def leaf(node, row):
    while node.findall(ns + "Node"):
        children = node.findall(ns + "Node")
        assert len(children) == 2
        node = next(c for c in children if holds(c[0], row) is True)
    return node

for cells in rows:
    row = {n: cell(n, c) for n, c in zip(header, cells) if n in fields and fields[n].get("optype") and n != list(fields)[-1]}
    if tree is not None:
        node = leaf(tree, row)
        print(node.get("id"), json.dumps(node.get("score")), share(node, node.get("score")), sep="\t")
        continue
    for rule in rules.findall(ns + "SimpleRule"):
        if holds(next(iter(rule)), row) is True:
            print(rule.get("id"), json.dumps(rule.get("score")), share(rule, rule.get("score")), sep="\t")
            break
    else:
        score = rules.get("defaultScore")
        print(-1, json.dumps(score), share(rules, score), sep="\t")
`

func TestPMML(t *testing.T) {
	python := tool(t, "python3")
	each(t, allTables, func(t *testing.T, folder string, m model.Model, header []string, rows [][]string) {
		code := filepath.Join(folder, "model.pmml")
		write(t, m, "pmml", code)
		if text, err := os.ReadFile(code); err != nil || bytes.Contains(text, []byte("<TreeModel")) != (m.Family() == model.Tree) {
			t.Fatalf("%s is written as another kind of model: %v", m.Family(), err)
		}
		d := NewDecision(m)
		header, rows = withParts(d, header, d.typed(header, disturbed(rows)))
		got := executed(t, folder, toJSON(t, []any{header, d.doubles(header, rows)}), python, "-c", pmmlMain)
		compare(t, got, predicted(t, m, header, rows), rows, code)
	})
}

// doubles writes the cells of columns of doubles as numbers.
func (d *Decision) doubles(header []string, rows [][]string) (all [][]string) {
	for _, row := range rows {
		cells := append([]string{}, row...)
		for k, name := range header {
			if i := d.at(name); i >= 0 && !d.Columns[i].onnxText() {
				cells[k] = ""
				if v, ok := d.Columns[i].onnxNumber(strings.TrimSpace(row[k])); ok {
					cells[k] = format(v)
				}
			}
		}
		all = append(all, cells)
	}
	return all
}
