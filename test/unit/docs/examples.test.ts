import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PAGES = ['embedding', 'migration'];
/** What an example may take for granted. */
const PREAMBLE = `/** @type {string} */ const embedUrl = '', adminToken = '';\n/** @type {any} */ const document = globalThis.document;\n`;
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
  paths: {
    'cloud-browser': [join(ROOT, 'src/index.ts')],
    'cloud-browser/element': [join(ROOT, 'src/element/define.ts')],
  },
};

/** The JavaScript blocks of a page, by the name of a file that each could be. */
function examplesOf(page: string): [file: string, code: string][] {
  const text = readFileSync(join(ROOT, `docs/${page}.md`), 'utf8');
  return [...text.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code = ''], index) => [
    join(ROOT, `test/unit/docs/${page}-${index + 1}.js`),
    `${PREAMBLE}${code}\nexport {};\n`,
  ]);
}

describe('the examples of the documentation', () => {
  it('fit the types of what they use', () => {
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
