// Predicts rows by JavaScript: reads [[module, header, types, rows], ...] and prints the case, the label and its probability.
for (const [name, header, , rows] of JSON.parse(require("fs").readFileSync(0, "utf8"))) {
  const m = require(`${process.cwd()}/${name}.js`);
  for (const cells of rows) {
    const p = m.predict(Object.fromEntries(header.map((name, i) => [name, cells[i]])));
    console.log([p.rule, JSON.stringify(p.label), p.probabilities[m.CLASSES.indexOf(p.label)]].join("\t"));
  }
}
