import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = [
  ...['docs/embed-module', 'docs/embedding', 'docs/migration', 'docs/sdk', 'docs/users', 'docs/start/agents'],
  'packaging/sdk-readme',
];
/** Declarations that an example may use: the session, and the elements of its page. */
const PREAMBLE = `
/** @typedef {{
 *   querySelector<Name extends keyof HTMLElementTagNameMap>(name: Name): HTMLElementTagNameMap[Name],
 *   querySelector(id: \`#\${string}\`): HTMLDivElement,
 * }} Found */
/** @type {string} */ const embedUrl = '', adminToken = '', cdpUrl = '', baseUrl = '', apiKey = '';
/** @type {string} */ const userId = '', otherUserId = '';
const document = /** @type {Omit<Document, 'querySelector'> & Found} */ (globalThis.document);
`;
const OPTIONS: ts.CompilerOptions = {
  allowJs: true,
  checkJs: true,
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  types: [],
};

/** Returns the code blocks of a page by file name. They import the built package. */
function examplesOf(page: string): [file: string, code: string][] {
  const text = readFileSync(join(ROOT, `${page}.md`), 'utf8');
  return [...text.matchAll(/^```(js|ts)\n([\s\S]*?)^```/gm)].map(([, kind = '', code = ''], index) => [
    join(ROOT, `test/processes/${basename(page)}-${index + 1}.${kind}`),
    `${PREAMBLE}${code}\nexport {};\n`,
  ]);
}

describe('the examples in the documentation', () => {
  it('compile with the published types', () => {
    const examples = new Map(PAGES.flatMap(examplesOf));
    assert.ok(examples.size >= 5);
    const host = ts.createCompilerHost(OPTIONS);
    const disk = ts.createCompilerHost(OPTIONS);
    host.fileExists = (name) => examples.has(name) || disk.fileExists(name);
    host.readFile = (name) => examples.get(name) ?? disk.readFile(name);
    const program = ts.createProgram([...examples.keys()], OPTIONS, host);
    const problems = [...examples.keys()].flatMap((name) => {
      const source = program.getSourceFile(name);
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
        ({ messageText }) =>
          `${name.slice(ROOT.length)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
      );
    });
    assert.deepEqual(problems, []);
  });
});

describe('the published types', () => {
  it('need no DOM library and no types of Node in programs that only use the client and the API', () => {
    const options: ts.CompilerOptions = {
      noEmit: true,
      strict: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      lib: ['lib.es2022.d.ts'],
      types: [],
    };
    const entries = ['dist/index.d.ts', 'dist/api/index.d.ts', 'dist/protocol/index.d.ts'];
    const program = ts.createProgram(
      entries.map((entry) => join(ROOT, entry)),
      options,
    );
    const problems = ts
      .getPreEmitDiagnostics(program)
      .map(
        ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
      );
    assert.deepEqual(problems, []);
  });
});
