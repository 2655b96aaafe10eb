import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commentViolations, WIDEST_COMMENT } from '../../../scripts/lib/comment-rules.mjs';

const linesOf = (...text: string[]) => commentViolations(text.join('\n')).map(({ line }) => line);
const wide = 'x'.repeat(WIDEST_COMMENT);

describe('the form of comments', () => {
  it('has a widest line, in comments alone', () => {
    assert.deepEqual(linesOf(`// ${wide}`, `const wide = '${wide}';`, '/**', ` * ${wide}`, ' */'), [1, 4]);
  });

  it('lets links and rows of tables be wide', () => {
    assert.deepEqual(linesOf(`// https://example.com/${wide}`, '/*', ` * | ${wide} |`, ' */'), []);
  });

  it('has doc comments begin with no clause', () => {
    assert.deepEqual(
      linesOf('/** What it is. */', '/**', ' * Whether it is.', ' */', '/** How it goes. */'),
      [1, 3, 5],
    );
  });

  it('looks at the beginning of a doc comment alone', () => {
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
