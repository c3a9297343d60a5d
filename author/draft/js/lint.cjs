// Reads {modules, folder, files: [{path, text}]} from stdin and writes the files, formatted, with their problems.
const { createRequire } = require('node:module');
const { readFileSync } = require('node:fs');

async function main() {
  const asked = JSON.parse(readFileSync(0, 'utf8'));
  const from = createRequire(asked.modules + '/x.js');
  const prettier = from('prettier');
  const { ESLint } = from('eslint');
  const playwright = from('eslint-plugin-playwright');
  const rules = {};
  for (const name of [
    'expect-expect', 'missing-playwright-await', 'no-conditional-in-test', 'no-element-handle', 'no-eval', 'no-focused-test', 'no-force-option',
    'no-networkidle', 'no-page-pause', 'no-skipped-test', 'no-wait-for-timeout', 'prefer-web-first-assertions', 'valid-expect', 'valid-title',
  ]) {
    rules['playwright/' + name] = 'error';
  }
  const eslint = new ESLint({
    cwd: asked.folder,
    overrideConfigFile: true,
    allowInlineConfig: false,
    overrideConfig: [{ files: ['**/*.{js,mjs,ts,mts}'], plugins: { playwright: playwright.default ?? playwright }, languageOptions: { ecmaVersion: 'latest', sourceType: 'module' }, rules }],
  });
  const files = [];
  for (const { path, text } of asked.files) {
    const file = { path, text, problems: [] };
    try {
      file.text = await prettier.format(text, { filepath: path, singleQuote: true, printWidth: 120 });
    } catch (e) {
      file.problems.push({ line: e.loc?.start?.line ?? 1, column: e.loc?.start?.column ?? 1, rule: 'prettier', message: String(e.message).split('\n')[0] });
    }
    if (/\.m?[jt]s$/.test(path) && file.problems.length === 0) {
      for (const result of await eslint.lintText(file.text, { filePath: path })) {
        for (const m of result.messages) file.problems.push({ line: m.line ?? 1, column: m.column ?? 1, rule: m.ruleId ?? 'eslint', message: m.message });
      }
    }
    files.push(file);
  }
  process.stdout.write(JSON.stringify({ files }));
}

main().catch((e) => {
  process.stderr.write(String(e.stack ?? e));
  process.exitCode = 1;
});
