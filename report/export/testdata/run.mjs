// Predicts rows by ONNX Runtime: reads [columns, number of rows, classes] and prints the case, the label and its probability.
import * as ort from "onnxruntime-web";
import * as fs from "fs";
const [columns, n, classes] = JSON.parse(fs.readFileSync(0, "utf8"));
ort.env.logLevel = "error";
const session = await ort.InferenceSession.create(new Uint8Array(fs.readFileSync("model.onnx")));
const feeds = {};
for (const c of columns) {
  feeds[c.name] = c.texts ? new ort.Tensor("string", c.texts, [n, 1])
    : new ort.Tensor("float64", Float64Array.from(c.numbers, (v) => v === null ? NaN : Number(v.replace("Inf", "Infinity"))), [n, 1]);
}
const out = await session.run(feeds);
const value = (name) => { while (!(name in out) || name in feeds) name += "_"; return out[name]; };
const labels = value("label").data, p = value("probabilities").data, rule = value("rule").data, k = p.length / n;
for (let i = 0; i < n; i++) {
  console.log([Number(rule[i]), JSON.stringify(labels[i]), p[i * k + classes.indexOf(labels[i])]].join("\t"));
}
