const SPACE = "[\\t\\n\\v\\f\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
const OUTER = new RegExp("^" + SPACE + "|" + SPACE + "$", "g");
const DECIMAL = /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$/;
const INFINITE = /^[+-]?inf(inity)?$/i;

// text is the text of a cell; "" of null, undefined and NaN, which are missing.
function text(cell) {
  if (cell === null || cell === undefined || cell !== cell) return "";
  return String(cell).replace(OUTER, "");
}

function missing(t) {
  return t === "" || MISSING.has(t.toLowerCase());
}

// number is the number in a text, null if it is not one.
function number(t) {
  if (t.length > 400) return null;
  if (INFINITE.test(t)) return t[0] === "-" ? -Infinity : Infinity;
  if (!DECIMAL.test(t)) return null;
  const value = Number(t);
  return Number.isFinite(value) ? value : null;
}

// A test returns true, false, or null for a cell that cannot be judged. A missing
// cell cannot be judged where complete says that training had none.

function isMissing(t, complete) {
  return missing(t) ? (complete ? null : true) : false;
}

function is(t, complete, value) {
  return missing(t) ? (complete ? null : false) : t === value;
}

function isTrue(t, complete) {
  if (missing(t)) return complete ? null : false;
  const lower = t.toLowerCase();
  if (["yes", "true", "t", "y"].includes(lower)) return true;
  if (["no", "false", "f", "n"].includes(lower)) return false;
  const value = number(t);
  return value === 1 ? true : value === 0 ? false : null;
}

function isGiven(t) {
  return t === "1" ? true : t === "0" ? false : null;
}

function equals(t, complete, value) {
  if (missing(t)) return complete ? null : false;
  const x = number(t);
  return x === null ? null : x === value;
}

function atLeastBelow(t, complete, low, high) {
  if (missing(t)) return complete ? null : false;
  const x = number(t);
  return x === null ? null : (low === null || low <= x) && (high === null || x < high);
}

function aboveAtMost(t, complete, low, high) {
  if (missing(t)) return complete ? null : false;
  const x = number(t);
  return x === null ? null : (low === null || low < x) && (high === null || x <= high);
}
