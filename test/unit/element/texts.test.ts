import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { NOTICES } from '../../../server/src/host/room/notices.js';
import german from '../../../src/element/lang/words/de.js';
import english, { TOLD_TEXTS } from '../../../src/element/lang/words/en.js';
import { sentenceOf, useErrorTexts } from '../../../src/element/lang/error-sentence.js';
import { ERROR_TEXTS } from '../../../src/element/lang/words/errors-in-english.js';
import { needLanguage, usedLanguages } from '../../../src/element/lang/registry.js';
import type { Words } from '../../../src/element/lang/texts.js';
import { CALL_ERROR_CODES } from '../../../src/protocol/index.js';
import { sizeText } from '../../../src/element/lang/numbers.js';
import { wordsOutside } from './words-outside.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDERS = ['src/element', 'src/embed', 'src/replay'];
/** Code that contains the texts of the registry is the registry. */
const REGISTRY = 'src/element/lang/';

/** Placeholders, in their order. */
const slots = (text: string): string => (text.match(/\{\w+\}/g) ?? []).join();

describe('the texts of the element', () => {
  it('are defined only in the registry', () => {
    const files = FOLDERS.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => `${folder}/${name}`),
    ).filter((file) => !file.startsWith(REGISTRY));
    assert.ok(files.length > 20);
    assert.deepEqual(
      files.flatMap((file) =>
        wordsOutside(readFileSync(join(ROOT, file), 'utf8')).map((words) => `${file}: ${words}`),
      ),
      [],
    );
  });

  it('are reported as missing there when other code contains them', () => {
    const code = `
      html\`<p class="a b">\${text}  · ✕</p><p>Not <b>here</b></p>\`;
      html\`<button aria-label="Close it" title=\${a ? 'Open' : words.say('b')} part="x y">×</button>\`;
      html\`<p>\${open ? 'Right now' : nothing}</p><img alt='Picture'>\`;
      element.title = 'Some title';
      element.ariaLabel = \`Of \${name}\`;
      element.setAttribute('placeholder', 'Type here');
      element.textContent = name;
      browser.notify('Hello');
      const TEXTS = { copy: 'Copy here', away: 'Dismiss', key: 'Escape-key', kind: 'h264' };
      throw new TypeError('Pass a string here.');
    `;
    assert.deepEqual(wordsOutside(code), [
      'Not',
      'here',
      'Close it',
      'Open',
      'Right now',
      'Picture',
      'Some title',
      'Of',
      'Type here',
      'Hello',
      'Copy here',
      'Dismiss',
    ]);
  });

  it('all exist in German, with the same placeholders', () => {
    assert.deepEqual(Object.keys(german).sort(), Object.keys(english).sort());
    for (const [key, text] of Object.entries(english)) {
      const other: string | undefined = (german satisfies Record<string, string>)[key as keyof typeof german];
      assert.equal(slots(other ?? ''), slots(text), key);
      assert.ok(other?.trim(), key);
    }
  });

  it('tell a user without access what to do', () => {
    assert.match(english['unauthorized.said'], /Ask/);
    // One sentence for all messages of the service, also for an address that opens no session.
    assert.match(german['unauthorized.said'], /neue Adresse bitten/);
  });

  it('match the English messages of the session', () => {
    const told: Readonly<Record<string, string>> = TOLD_TEXTS;
    const said = Object.values(NOTICES);
    assert.deepEqual(
      said.filter(({ kind, message }) => told[`notice.${kind}`] !== message),
      [],
    );
  });

  it('have a user-friendly sentence for each code that a user can see', () => {
    const codes = [
      ...CALL_ERROR_CODES,
      'err_not_connected',
      'err_call_timeout',
      'err_file_transfer',
      'unknown',
    ];
    const texts: [string, Readonly<Record<string, string | undefined>>][] = [
      ['en', english],
      ['de', german],
    ];
    for (const [lang, all] of texts) {
      assert.deepEqual(
        codes.filter((code) => !all[`error.${code}`]),
        [],
        lang,
      );
      for (const [key, text = ''] of Object.entries(all))
        if (key.startsWith('error.')) assert.doesNotMatch(text, /role|rolle|token|err_|[a-z]_[a-z]/i, key);
    }
  });

  it('name the missing permission, and have a general sentence for an unknown code', () => {
    const words: Words = {
      lang: 'en',
      say: (key) => key,
      digits: (number) => number,
      find: () => undefined,
      told: (_key, text) => text,
    };
    useErrorTexts(ERROR_TEXTS);
    assert.match(sentenceOf('err_forbidden', words, 'upload'), /^You may not upload files in this session\./);
    for (const code of [undefined, 'err_of_the_future'])
      assert.equal(sentenceOf(code, words, 'upload'), english['error.unknown']);
  });

  it('need no loading for English, also with an underscore in the tag', async () => {
    for (const tag of ['', 'en', 'en-US', 'en_US', 'EN_gb']) needLanguage(tag);
    // A load that a call above started would end before this one.
    await import('../../../src/element/lang/languages.js');
    assert.equal(usedLanguages(), undefined);
  });

  it('format sizes as the language does', () => {
    assert.equal(sizeText(512, 'en'), '512 bytes');
    assert.equal(sizeText(12_345_678, 'en'), '12.3 MB');
    assert.equal(sizeText(12_345_678, 'de-AT').replaceAll(' ', ' '), '12,3 MB');
    assert.equal(sizeText(4.7e12, 'en'), '4,700 GB');
    const rounded = [0, 999, 1_000, 99_949, 99_960, 999_499, 999_960, 999_500_000];
    assert.deepEqual(
      rounded.map((bytes) => sizeText(bytes, 'en')),
      ['0 bytes', '999 bytes', '1.0 kB', '99.9 kB', '100 kB', '999 kB', '1.0 MB', '1.0 GB'],
    );
  });
});
