import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { migrationRows, proofsOf } from '../../../scripts/lib/proofs.mjs';

const MIGRATION = `
## Comparison of the features
### Fields of a new session
| Field | Here |
| ----- | ---- |
| any field | same |
| \`width\`, \`height\` | same |
### Roles
| Role | Here |
| ---- | ---- |
| \`control\` | same |
## Other
| x | y |
| - | - |
| z | y |
`;

const problemsOf = (...lines: string[]) =>
  proofsOf(['width', 'role control'], [['a.test.ts', lines.join('\n')]]).problems;

describe('the check of proofs', () => {
  it('reads the rows of the migration page', () => {
    assert.deepEqual(migrationRows(MIGRATION), ['any field', 'width', 'height', 'role control']);
  });

  it('finds the tests of each row', () => {
    const text = [
      '  // Proves: width',
      '  // Proves: role control',
      "  it('a', () => {",
      '// Proves: width',
      'test(`b ${x}`);',
    ];
    const { tests, problems } = proofsOf(['width', 'role control'], [['a.test.ts', text.join('\n')]]);
    assert.deepEqual(Object.fromEntries(tests), {
      width: ['a (a.test.ts)', 'b ${x} (a.test.ts)'],
      'role control': ['a (a.test.ts)'],
    });
    assert.deepEqual(problems, []);
  });

  it('reports a row without a test', () => {
    assert.deepEqual(problemsOf('// Proves: width', "it('a')"), ['No test proves “role control”']);
  });

  it('reports a tag that names no row, and one without a test below', () => {
    assert.deepEqual(problemsOf('// Proves: width; depth', "it('a')", '// Proves: role control', ''), [
      'a.test.ts:1: “depth” is no rule and no row',
      'a.test.ts:3: no test directly below this tag',
    ]);
  });
});
