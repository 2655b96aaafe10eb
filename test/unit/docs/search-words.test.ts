import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pagesOf } from '../../../docs-site/pages.mjs';
import { SEARCH_WORDS, withSearchWords } from '../../../docs-site/search-words.mjs';
import { ROOT } from './test-titles.js';

describe('the search keywords of a page', () => {
  it('exist for each page of the repository, and for no other', () => {
    assert.deepEqual(
      Object.keys(SEARCH_WORDS).sort(),
      [...pagesOf(ROOT).values()].filter((page) => page !== 'reporting.md').sort(),
    );
  });

  it('are after the first heading', () => {
    const html = '<h1 id="x">React</h1><p>Text</p><h1>Another</h1>';
    const [words = ''] = [SEARCH_WORDS['start/react.md']];
    assert.equal(withSearchWords(html, 'start/react.md'), html.replace('</h1>', `</h1><p>${words}</p>`));
    assert.equal(withSearchWords(html, 'start/none.md'), html);
  });

  it('contain the module of each member of the SDK', () => {
    const html = '<h2 id="upload">upload <a class="header-anchor" href="#upload">#</a></h2>';
    const place = (path: string) => /in the SDK, (\S+)/.exec(withSearchWords(html, path))?.[1];
    assert.equal(
      place('reference/sdk/cloud-browser/element/classes/UploadEvent.md'),
      'cloud-browser/element',
    );
    assert.equal(place('reference/sdk/cloud-browser/api/index.md'), 'cloud-browser/api');
  });
});
