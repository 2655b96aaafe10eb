import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commentViolations, WIDEST_COMMENT } from '../../../scripts/lib/comment-rules.mjs';

const linesOf = (...text: string[]) => commentViolations(text.join('\n')).map(({ line }) => line);
const wide = 'x'.repeat(WIDEST_COMMENT);

describe('the comment rules', () => {
  it('limit the line width, only in comments', () => {
    assert.deepEqual(linesOf(`// ${wide}`, `const wide = '${wide}';`, '/**', ` * ${wide}`, ' */'), [1, 4]);
  });

  it('exempt links and table rows', () => {
    assert.deepEqual(linesOf(`// https://example.com/${wide}`, '/*', ` * | ${wide} |`, ' */'), []);
  });

  it('forbid doc comments that begin with a clause', () => {
    assert.deepEqual(
      linesOf('/** What it is. */', '/**', ' * Whether it is.', ' */', '/** How it goes. */'),
      [1, 3, 5],
    );
  });

  it('check only the beginning of a doc comment', () => {
    const text = [
      '/**',
      ' * Returns a name.',
      ' * What else it has is unknown.',
      ' */',
      '// What comes next',
      '/* How */',
    ];
    assert.deepEqual(linesOf(...text), []);
    assert.deepEqual(linesOf('/** Whatever */'), []);
  });
});
