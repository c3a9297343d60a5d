// Parses test files as Playwright's runner does. Files come as JSON on stdin, one a line,
// and so do the answers: the syntax tree, or what does not parse.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const { parse } = createRequire(`${process.argv[1]}/`)('@babel/parser');

const COMMON = ['deprecatedImportAssert', ['importAttributes', { deprecatedAssertSyntax: true }]];
const TYPED = [['decorators', { allowCallParenthesized: false }], 'decoratorAutoAccessors', 'explicitResourceManagement'];

// optionsOf returns what the runner parses a file with: its ending decides.
function optionsOf(name) {
  const [, kind, jsx] = /\.([cm]?)ts(x?)$/.exec(name) || [];
  if (kind === undefined) return { sourceType: 'module', plugins: [...COMMON, 'jsx'] };
  const types = ['typescript', { disallowAmbiguousJSXLike: kind !== '' }];
  return { sourceType: kind === 'c' ? 'unambiguous' : 'module', plugins: [...COMMON, ...TYPED, ...(jsx ? ['jsx'] : []), types] };
}

// bytesOf returns for each unit of a text how many bytes of UTF-8 stand before it.
function bytesOf(text) {
  const at = new Uint32Array(text.length + 1);
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    at[i + 1] = at[i] + (c < 0x80 ? 1 : c < 0x800 || (c & 0xf800) === 0xd800 ? 2 : 3);
  }
  return at;
}

const LEFT = new Set(['type', 'start', 'end', 'loc', 'extra', 'errors', 'leadingComments', 'trailingComments', 'innerComments']);
// What stands in these places is a name, and no variable.
const NAMES = new Set(['property', 'key', 'label', 'imported', 'exported', 'meta']);

// treeOf keeps of a node its kind, its place, its words, and the nodes below it by their role.
function treeOf(node, role, at) {
  const out = { role, kind: node.type, from: at[node.start], to: at[node.end] };
  if (node.type === 'PrivateName') return { ...out, words: { name: `#${node.id.name}` } };
  if (node.type === 'Identifier' && NAMES.has(role)) out.kind = 'Name';
  const words = {};
  const parts = [];
  for (const [key, value] of Object.entries(node)) {
    if (LEFT.has(key) || value === null || value === undefined || value === false) continue;
    if (typeof value !== 'object') words[key] = String(value);
    else if (node.type === 'TemplateElement') words.value = value.cooked ?? value.raw;
    else if (Array.isArray(value)) for (const one of value) parts.push(one ? treeOf(one, key, at) : { role: key, kind: 'Hole' });
    else parts.push(treeOf(value, node.computed && NAMES.has(key) ? 'computed' : key, at));
  }
  if (Object.keys(words).length > 0) out.words = words;
  if (parts.length > 0) out.parts = parts;
  return out;
}

function answer({ name, text }) {
  try {
    const at = bytesOf(text);
    try {
      return { tree: treeOf(parse(text, { ...optionsOf(name), sourceFilename: name }).program, '', at) };
    } catch (e) {
      if (e.pos === undefined) throw e;
      return { at: at[e.pos], error: e.message.replace(/ \(\d+:\d+\)$/, '') };
    }
  } catch (e) {
    return { gaveUp: String(e.message || e) };
  }
}

createInterface({ input: process.stdin }).on('line', (line) => process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`));
