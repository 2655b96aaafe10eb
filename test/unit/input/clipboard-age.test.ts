import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ClipboardAge } from '../../../src/input/clipboard/clipboard-age.js';

let age: ClipboardAge;
/** True if Control+V pastes the local clipboard, which has this text. */
const isLocal = (text: string): boolean => age.isNewer({ text });

describe('the age of the local clipboard', () => {
  beforeEach(() => (age = new ClipboardAge()));

  it('is newer until something is copied in the remote browser', () => {
    assert.equal(isLocal('a'), true);
    age.remoteCopied();
    assert.equal(isLocal('a'), false);
    assert.equal(isLocal('a'), false, 'the second time');
  });

  it('is older when the page has never seen it and noticed no copy', () => {
    age.remoteCopied();
    assert.equal(isLocal('a'), false);
  });

  it('is newer after a copy on the page, with the same text too, and stays newer', () => {
    isLocal('a');
    age.remoteCopied();
    age.localCopied();
    assert.equal(isLocal('a'), true);
    assert.equal(isLocal('a'), true);
  });

  it('is newer with a text that was not there at the last look', () => {
    isLocal('a');
    age.remoteCopied();
    assert.equal(isLocal('b'), true);
  });

  it('is older with a text that may have changed before the remote copy', () => {
    isLocal('a');
    age.leftPage();
    age.remoteCopied();
    assert.equal(isLocal('b'), false);
    age.localCopied();
    age.remoteCopied();
    assert.equal(isLocal('c'), false);
  });

  it('is newer with an unknown text when the user was elsewhere since', () => {
    age.remoteCopied();
    age.leftPage();
    assert.equal(isLocal('a'), true);
  });

  it('is older when the user was elsewhere and the text is the one that was remembered', () => {
    age.remoteCopied();
    age.remember({ text: 'a' });
    age.leftPage();
    assert.equal(isLocal('a'), false);
    assert.equal(isLocal('b'), true);
  });
});
