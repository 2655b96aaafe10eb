import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from './test-titles.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const page = read('docs/embed-module.md');
const messages = read('src/embed-module/messages.ts');
/** The names in a piece of code between two texts. */
function namesIn(code: string, from: string, to: string, name: RegExp): string[] {
  const start = code.indexOf(from);
  return [...code.slice(start, code.indexOf(to, start)).matchAll(name)].map(([, found = '']) => found);
}

describe('the page about the embed module', () => {
  it('lists every message that the module sends', () => {
    const told = namesIn(messages, 'export type FromEmbed', ';\n\n', /\btype: '(\w+)'(?: \| '(\w+)')?/g);
    assert.ok(told.length > 9);
    for (const name of [...told, 'close_request']) assert.ok(page.includes(`\`${name}\``), name);
  });

  it('lists every message that the module accepts', () => {
    const taken = namesIn(
      read('src/embed-module/client-messages.ts'),
      '#set(message',
      'default:',
      /case '(\w+)'/g,
    );
    const handled = namesIn(
      read('src/embed-module/index.ts'),
      'handleMessage(message) {',
      '},',
      /type === '(\w+)'/g,
    );
    assert.ok(taken.length > 6 && handled.length === 2);
    for (const name of [...taken, ...handled]) assert.ok(page.includes(`\`${name}\``), name);
  });

  it('lists every option', () => {
    const options = namesIn(messages, 'export interface EmbedOptions', '\n}', /^ {2}(\w+)\?:/gm);
    assert.ok(options.length > 5);
    for (const name of options) assert.match(page, new RegExp(`\\| \`${name}[\`(]`), name);
  });
});
