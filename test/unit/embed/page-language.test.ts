import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setPageLanguage } from '../../../src/embed/page-language.js';

describe('the language of the embed page', () => {
  const { warn } = console;
  let warnings: string[];
  beforeEach(() => {
    warnings = [];
    console.warn = (message: string) => warnings.push(message);
  });
  afterEach(() => (console.warn = warn));

  const languageFor = (asked: string | null, ...languages: string[]) => {
    const page = { lang: '', dir: '' };
    setPageLanguage(page, asked, languages);
    return `${page.lang} ${page.dir}`;
  };

  it('is what the address asks for', () => {
    assert.equal(languageFor('de', 'en-US'), 'de ltr');
    assert.equal(languageFor('de_at', 'en-US'), 'de-AT ltr');
    assert.equal(languageFor('en', 'de'), 'en ltr');
    assert.deepEqual(warnings, []);
  });

  it('is otherwise the first of the viewer’s that it speaks', () => {
    assert.equal(languageFor(null, 'fr', 'de-CH', 'en'), 'de-CH ltr');
    assert.equal(languageFor('', 'en-GB', 'de'), 'en-GB ltr');
    assert.equal(languageFor(null, 'ar', 'he'), 'en ltr');
    assert.equal(languageFor(null), 'en ltr');
  });

  it('is one of the viewer’s where the address asks for another or for nonsense, and tells developers', () => {
    assert.equal(languageFor('fr', 'de'), 'de ltr');
    assert.equal(languageFor('<script>', 'en'), 'en ltr');
    assert.equal(languageFor('x'.repeat(5_000)), 'en ltr');
    assert.equal(warnings.length, 3);
  });
});
