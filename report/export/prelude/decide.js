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

// level is the place of an ordered category as a text; what is missing stays, another is no number.
function level(t, levels) {
  const at = levels.indexOf(t);
  return missing(t) ? t : at < 0 ? "\0" : String(at);
}

const ISO = /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?Z?)?$/;
const OTHER = { "d/m/y": "/", "m/d/y": "/", "d.m.y": "." };

// day is the days since 1970-01-01 00:00 of a date as a text; what is missing stays, another is no number.
function day(t, way) {
  if (missing(t)) return t;
  const iso = ISO.exec(t);
  let date, clock = [0, 0, 0];
  if (iso) {
    date = iso.slice(1, 4).map(Number);
    clock = iso.slice(4).map((p) => Number(p || 0));
  } else {
    const p = t.split(OTHER[way] || "\n");
    if (p.length !== 3 || !p.every((x) => /^[0-9]+$/.test(x)) || Math.max(p[0].length, p[1].length) > 2 || p[2].length !== 4)
      return "\0";
    date = (way === "m/d/y" ? [p[2], p[0], p[1]] : [p[2], p[1], p[0]]).map(Number);
  }
  const at = new Date(0);
  at.setUTCFullYear(date[0], date[1] - 1, date[2]);
  if (date[0] < 1 || at.getUTCMonth() !== date[1] - 1 || at.getUTCDate() !== date[2]) return "\0";
  if (clock[0] > 23 || clock[1] > 59 || clock[2] > 59) return "\0";
  return String((at.getTime() / 1000 + clock[0] * 3600 + clock[1] * 60 + clock[2]) / 86400);
}

// part is the weekday or month of a date, as its text; another text stays.
function part(t, way, unit, levels) {
  const at = day(t, way);
  if (missing(t) || at === "\0") return t;
  const date = new Date(Math.floor(Number(at)) * 86400000);
  return levels[unit === "weekday" ? (date.getUTCDay() + 6) % 7 : date.getUTCMonth()];
}

// A test returns true, false, or null for a cell that cannot be judged. A missing
// cell cannot be judged where complete says that training had none.

function isMissing(t, complete) {
  return missing(t) ? (complete ? null : true) : false;
}

function is(t, complete, value) {
  return missing(t) ? (complete ? null : false) : t === value;
}

function among(t, complete, values) {
  return missing(t) ? (complete ? null : false) : values.includes(t);
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
