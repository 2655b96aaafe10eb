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

  it('is the one in the address', () => {
    assert.equal(languageFor('de', 'en-US'), 'de ltr');
    assert.equal(languageFor('de_at', 'en-US'), 'de-AT ltr');
    assert.equal(languageFor('en', 'de'), 'en ltr');
    assert.deepEqual(warnings, []);
  });

  it('is otherwise the first supported language of the viewer', () => {
    assert.equal(languageFor(null, 'fr', 'de-CH', 'en'), 'de-CH ltr');
    assert.equal(languageFor('', 'en-GB', 'de'), 'en-GB ltr');
    assert.equal(languageFor(null, 'ar', 'he'), 'en ltr');
    assert.equal(languageFor(null), 'en ltr');
  });

  it("is the viewer's if the address has an unsupported value, with a warning for developers", () => {
    assert.equal(languageFor('fr', 'de'), 'de ltr');
    assert.equal(languageFor('<script>', 'en'), 'en ltr');
    assert.equal(languageFor('x'.repeat(5_000)), 'en ltr');
    assert.equal(warnings.length, 3);
  });
});
