// Says which parts of TypeScript files are types: what the runner itself takes out before
// it runs them, found by its own parser. Files come as JSON on stdin.
'use strict';
const path = require('node:path');

// bundle finds the parser of a runner: where it stands has changed between versions.
function bundle(modules) {
  const runner = require.resolve('@playwright/test/package.json', { paths: [modules, path.join(modules, '..')] });
  const folders = [path.dirname(runner)];
  try {
    folders.unshift(path.dirname(require.resolve('playwright/package.json', { paths: [path.dirname(runner)] })));
  } catch {} // before 1.38 the runner is one package
  for (const folder of folders) {
    for (const name of ['lib/transform/babelBundle.js', 'lib/babelBundle.js']) {
      let found;
      try {
        found = require(path.join(folder, name));
      } catch {
        continue;
      }
      if (found.babelParse) return found;
    }
  }
  throw new Error(`the runner in ${modules} has no parser of TypeScript that is known here`);
}

// Nodes that are types altogether. Those of STATEMENTS leave a semicolon.
const TYPES = new Set(['TSTypeAnnotation', 'TSTypeParameterDeclaration', 'TSTypeParameterInstantiation', 'Decorator']);
const STATEMENTS = new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'TSEnumDeclaration', 'TSModuleDeclaration', 'TSDeclareFunction', 'TSDeclareMethod', 'TSIndexSignature',
  'TSImportEqualsDeclaration', 'TSExportAssignment', 'TSNamespaceExportDeclaration']);
const MODIFIERS = /\b(?:public|private|protected|readonly|override|abstract|declare)\b/g;

// spans lists what is to be left out of a text: [from, to, leaves a semicolon].
function spans(text, ast) {
  const out = [];
  const cut = (from, to, statement) => to > from && out.push([from, to, !!statement]);
  // back finds the start of the words that end before a place, but for space and comments.
  const back = (at, from, words) => {
    const found = new RegExp(`(?:${words})(?:\\s|/\\*[\\s\\S]*?\\*/|//[^\\n]*\\n)*$`).exec(text.slice(from, at));
    if (!found) throw new Error(`what stands before the type is not understood: ${text.slice(from, at)}`);
    return from + found.index;
  };
  const mark = (node, sign) => {
    const end = node.typeAnnotation ? node.typeAnnotation.start : node.end;
    const at = back(end, node.start, `\\${sign}`);
    cut(at, at + 1);
  };
  // withComma takes a member out of a list.
  const withComma = (node) => {
    const rest = /^\s*,/.exec(text.slice(node.end));
    cut(node.start, node.end + (rest ? rest[0].length : 0));
  };
  const walk = (node) => {
    if (!node || typeof node.type !== 'string') return;
    if (TYPES.has(node.type)) return cut(node.start, node.end);
    if (STATEMENTS.has(node.type) || node.declare || (node.abstract && !node.body)) return cut(node.start, node.end, true);
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
        if (node.importKind === 'type' || node.exportKind === 'type') return cut(node.start, node.end, true);
        if (node.declaration && (STATEMENTS.has(node.declaration.type) || node.declaration.declare)) return cut(node.start, node.end, true);
        for (const one of node.specifiers || []) if (one.importKind === 'type' || one.exportKind === 'type') withComma(one);
        break;
      case 'ExportDefaultDeclaration':
        if (STATEMENTS.has(node.declaration.type)) return cut(node.start, node.end, true);
        break;
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        walk(node.expression);
        return cut(back(node.typeAnnotation.start, node.expression.end, '\\bas|\\bsatisfies'), node.end);
      case 'TSTypeAssertion':
        walk(node.expression);
        return cut(node.start, node.typeAnnotation.end + /^[^>]*>/.exec(text.slice(node.typeAnnotation.end))[0].length);
      case 'TSNonNullExpression':
        walk(node.expression);
        return cut(node.end - 1, node.end);
      case 'TSParameterProperty':
        cut(node.start, node.parameter.start);
        break;
      case 'ClassDeclaration':
      case 'ClassExpression':
        if (node.abstract) {
          const at = text.indexOf('abstract', node.start);
          cut(at, at + 'abstract'.length);
        }
        if (node.implements && node.implements.length) cut(back(node.implements[0].start, node.start, '\\bimplements'), node.implements.at(-1).end);
        break;
      case 'ClassProperty':
      case 'ClassPrivateProperty':
      case 'ClassAccessorProperty':
      case 'ClassMethod':
      case 'ClassPrivateMethod': {
        const from = (node.decorators || []).reduce((at, d) => Math.max(at, d.end), node.start);
        for (const found of text.slice(from, node.key.start).matchAll(MODIFIERS)) cut(from + found.index, from + found.index + found[0].length);
        if (!node.optional && !node.definite) break;
        const sign = new RegExp(`^\\s*\\]?\\s*[?!]`).exec(text.slice(node.key.end));
        if (sign) cut(node.key.end + sign[0].length - 1, node.key.end + sign[0].length);
        break;
      }
      case 'Identifier':
      case 'ObjectPattern':
      case 'ArrayPattern':
        if (node.optional) mark(node, '?');
        if (node.definite) mark(node, '!');
        break;
      case 'VariableDeclarator':
        if (node.definite) mark(node.id, '!');
        break;
    }
    const parameters = node.params;
    if (parameters && parameters[0] && parameters[0].type === 'Identifier' && parameters[0].name === 'this') {
      withComma(parameters[0]);
      node.params = parameters.slice(1);
    }
    for (const [key, value] of Object.entries(node)) {
      if (key === 'implements' || key === 'loc' || /[cC]omments$/.test(key)) continue;
      if (Array.isArray(value)) value.forEach(walk);
      else if (value && typeof value === 'object') walk(value);
    }
  };
  walk(ast.program);
  return out.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
}

let asked = '';
process.stdin.setEncoding('utf8').on('data', (part) => (asked += part)).on('end', () => {
  let parser, why;
  for (const modules of process.argv.slice(1)) {
    try {
      parser = parser || bundle(modules);
    } catch (e) {
      why = why || e.message;
    }
  }
  const answers = JSON.parse(asked).map(({ name, text }) => {
    if (!parser) return { error: why };
    try {
      return { spans: spans(text, parser.babelParse(text, name, true)) };
    } catch (e) {
      return { error: String(e.message || e).split('\n')[0] };
    }
  });
  process.stdout.write(JSON.stringify(answers));
});
