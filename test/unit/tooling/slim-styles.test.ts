import assert from 'node:assert/strict';
import { it } from 'node:test';
import { slimMarkup, slimStyles } from '../../../scripts/lib/slim-styles.mjs';

it('bundled styles lose comments and white space, and code stays unchanged', () => {
  const code = `// css\nconst a = css\`\n  /* Why. */\n  .a > .b,\n  .c {\n    margin: calc(1px + 2px) 3px;\n    /* Two\n       lines. */\n    color: red;\n  }\n\`;\nconst b = html\`<p>  a </p>\`;\n`;
  assert.equal(
    slimStyles(code),
    '// css\nconst a = css`.a > .b,.c{margin:calc(1px + 2px) 3px;color:red}`;\nconst b = html`<p>  a </p>`;\n',
  );
});

it('bundled markup loses its indentation, and other modules stay unchanged', () => {
  const code = 'const a = html`\n  <p>\n    ${b}  </p>\n`;\n';
  assert.equal(slimMarkup(code), 'const a = html`\n<p>\n${b}  </p>\n`;\n');
  assert.equal(slimMarkup('const a = `\n  b`;'), 'const a = `\n  b`;');
});
