import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CdpError, type CdpSession } from '../../../../server/src/host/browser/cdp/cdp-session.js';
import { shownAddress } from '../../../../server/src/host/browser/pages/shown-address.js';

/** Returns a page with answers to commands. An error rejects the command. */
function pageWith(answers: Readonly<Record<string, object>>): Pick<CdpSession, 'send'> {
  const send = (method: string) => {
    const answer = answers[method];
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { send };
}

const HISTORY = 'Page.getNavigationHistory';
const shown = { url: 'https://example.com/', title: 'Example' };

it('the address of a page is that of its document, also while it navigates', async () => {
  const entries = [{ url: 'https://example.com/before', title: 'Before' }, shown];
  assert.deepEqual(await shownAddress(pageWith({ [HISTORY]: { currentIndex: 1, entries } })), shown);
  assert.deepEqual(await shownAddress(pageWith({ [HISTORY]: { currentIndex: -1, entries } })), {
    url: '',
    title: '',
  });
});

it('a page with a history of megabytes has its address, without the rest of a long one', async () => {
  const large = new CdpError(HISTORY, 'too-large');
  const long = { ...shown, url: `https://example.com/#${'x'.repeat(2_000_000)}` };
  const page = pageWith({ [HISTORY]: large, 'Target.getTargetInfo': { targetInfo: long } });
  assert.deepEqual(await shownAddress(page), { ...shown, url: long.url.slice(0, 16_384) });
  const closed = new CdpError(HISTORY, 'closed');
  await assert.rejects(shownAddress(pageWith({ [HISTORY]: closed })), closed);
});
