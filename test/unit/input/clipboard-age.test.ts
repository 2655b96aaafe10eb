import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ClipboardAge } from '../../../src/input/clipboard/clipboard-age.js';

let age: ClipboardAge;
/** True if Control+V pastes the local clipboard, which has this text. */
const isLocal = (text: string): boolean => age.isNewer({ text });

describe('the age of the local clipboard', () => {
  beforeEach(() => (age = new ClipboardAge()));

  it('is newer until the remote browser copies', () => {
    assert.equal(isLocal('a'), true);
    age.remoteCopied();
    assert.equal(isLocal('a'), false);
    assert.equal(isLocal('a'), false, 'the second time');
  });

  it('is older if the page has never read it and noticed no copy', () => {
    age.remoteCopied();
    assert.equal(isLocal('a'), false);
  });

  it('is newer after a copy on the page, also of the same text, and stays newer', () => {
    isLocal('a');
    age.remoteCopied();
    age.localCopied();
    assert.equal(isLocal('a'), true);
    assert.equal(isLocal('a'), true);
  });

  it('is newer if its text has changed since the last read', () => {
    isLocal('a');
    age.remoteCopied();
    assert.equal(isLocal('b'), true);
  });

  it('is older if its text may have changed before the remote copy', () => {
    isLocal('a');
    age.leftPage();
    age.remoteCopied();
    assert.equal(isLocal('b'), false);
    age.localCopied();
    age.remoteCopied();
    assert.equal(isLocal('c'), false);
  });

  it('is newer with an unknown text after the user was elsewhere', () => {
    age.remoteCopied();
    age.leftPage();
    assert.equal(isLocal('a'), true);
  });

  it('is older with the remembered text after the user was elsewhere', () => {
    age.remoteCopied();
    age.remember({ text: 'a' });
    age.leftPage();
    assert.equal(isLocal('a'), false);
    assert.equal(isLocal('b'), true);
  });
});
