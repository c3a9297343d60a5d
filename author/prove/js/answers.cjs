// Changes of what the server answers: statuses, JSON, documents.
'use strict';

// firstList finds the first array with items in a value, breadth first.
function firstList(value) {
  const queue = [{ holder: { value }, key: 'value' }];
  for (let i = 0; i < queue.length && i < 10000; i++) {
    const { holder, key } = queue[i];
    const v = holder[key];
    if (Array.isArray(v) && v.length > 0) return { holder, key };
    if (v && typeof v === 'object') for (const k of Object.keys(v)) queue.push({ holder: v, key: k });
  }
  return undefined;
}

function tenfold(v) {
  if (typeof v === 'number') return v === 0 ? 10 : v * 10;
  if (Array.isArray(v)) return v.map(tenfold);
  if (v && typeof v === 'object') return Object.fromEntries(Object.entries(v).map(([k, one]) => [k, tenfold(one)]));
  return v;
}

const lists = {
  'answer-empty': () => [],
  'answer-short': (list) => list.slice(0, -1),
  'answer-doubled': (list) => [...list, ...list],
  'answer-unsorted': (list) => [...list].reverse(),
};

const words = /^\p{L}[\p{L}'’.,&-]*(?: [\p{L}'’.,&-]+)+$/u;

// otherData returns a text of JSON with other words in the records of its first list: in
// the fields that have words without a number, others in each record, and not what is to
// be kept. Fields whose values repeat may be what a page goes by.
exports.otherData = function otherData(text, keep) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const found = firstList(value);
  const list = found ? found.holder[found.key] : [];
  if (list.length < 2 || !list.every((one) => one && typeof one === 'object' && !Array.isArray(one))) return text;
  const kept = keep.map((one) => one.toLowerCase());
  for (const key of Object.keys(list[0])) {
    const values = list.map((one) => one[key]);
    if (!values.every((one) => typeof one === 'string' && words.test(one)) || new Set(values).size < values.length) continue;
    for (const one of list) if (!kept.some((text) => text.includes(one[key].toLowerCase()))) one[key] += ' and others';
  }
  return JSON.stringify(value);
};

// json returns a text of JSON changed as a kind says; the same where it can't be.
exports.json = function json(text, kind) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  if (kind === 'answer-tenfold') return JSON.stringify(tenfold(value));
  const found = firstList(value);
  if (!found) return text;
  const list = found.holder[found.key];
  const changed = lists[kind](list);
  if (list === value) return JSON.stringify(changed);
  found.holder[found.key] = changed;
  return JSON.stringify(value);
};

// shape says what can be changed in a text of JSON.
exports.shape = function shape(text) {
  try {
    const value = JSON.parse(text);
    const found = firstList(value);
    const list = found ? found.holder[found.key] : [];
    return { list: list.length, varied: JSON.stringify([...list].reverse()) !== JSON.stringify(list), numbers: JSON.stringify(tenfold(value)) !== JSON.stringify(value), words: exports.otherData(text, []) !== text };
  } catch {
    return undefined;
  }
};

// tags calls change for each start tag of a document that is outside of scripts,
// styles and comments.
function tags(html, change) {
  return html.replace(/<!--[\s\S]*?-->|<(script|style|textarea|template)\b[\s\S]*?<\/\1\s*>|<[a-zA-Z][^<>]*>/g, (part, skipped) => (skipped || part.startsWith('<!--') ? part : change(part)));
}

const attribute = /\s+([^\s=>"'/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g;

const rehashed = (name) => name.replace(/[a-z](?=[^a-z]*$)/i, (c) => (c === 'q' ? 'w' : 'q'));

// text returns a document, script or style changed as an equivalent mutant says.
exports.text = function text(body, m, isDocument) {
  switch (m.kind) {
    case 'names-rehashed':
      return m.names.reduce((all, name) => all.replace(new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'g'), rehashed(name)), body);
    case 'attribute-order':
      return isDocument
        ? tags(body, (tag) => {
            const [, start, middle, end] = /^(<[^\s/>]+)([\s\S]*?)(\s*\/?>)$/.exec(tag);
            const all = [...middle.matchAll(attribute)].map((found) => found[0].trimEnd());
            return all.length > 1 && all.join('').length === middle.trimEnd().length ? start + all.reverse().join('') + end : tag;
          })
        : body;
    case 'wrapped':
      return isDocument ? body.replace(/(<body\b[^>]*>)([\s\S]*)(<\/body\s*>)/i, '$1<div style="display:contents"><div style="display:contents">$2</div></div>$3') : body;
    case 'banner':
      return isDocument ? body.replace(/<\/body\s*>/i, (end) => `<div style="padding:4px;font-size:12px">Maintenance on Sunday from 02:00 UTC.</div>${end}`) : body;
    default:
      return body;
  }
};
