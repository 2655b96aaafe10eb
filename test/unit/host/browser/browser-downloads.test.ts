import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { BrowserDownloads } from '../../../../server/src/host/browser/files/browser-downloads.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';

/** The download settings that the browser received, in order. */
const behaviours = ({ commands }: FakeBrowser) =>
  commands
    .filter(({ method }) => method === 'Browser.setDownloadBehavior')
    .map(({ params }) => params['behavior']);

describe('the downloads of a kiosk', () => {
  it('are allowed once if the browser does not show them over the page', async () => {
    const browser = new FakeBrowser(false);
    let hidden: () => void = () => undefined;
    const hides: unknown[] = [];
    const hide = () => {
      hides.push(undefined);
      return new Promise<void>((resolve) => (hidden = resolve));
    };
    const downloads = new BrowserDownloads(browser.cdp, '/downloads', hide);
    await turn();
    assert.deepEqual([behaviours(browser), hides.length], [['deny'], 0]);
    let answered = false;
    const allowed = downloads.allow().then(() => (answered = true));
    const again = downloads.allow();
    await turn();
    assert.deepEqual([behaviours(browser), hides.length, answered], [['deny'], 1, false]);
    hidden();
    await Promise.all([allowed, again]);
    await downloads.allow();
    assert.deepEqual([behaviours(browser), hides.length], [['deny', 'allowAndName'], 1]);
  });

  it('stay blocked while the browser would show them over the page', async () => {
    const browser = new FakeBrowser(false);
    let fails = true;
    const hide = () => (fails ? Promise.reject(new Error('No answer.')) : Promise.resolve());
    const downloads = new BrowserDownloads(browser.cdp, '/downloads', hide);
    await downloads.allow();
    assert.deepEqual(behaviours(browser), ['deny']);
    fails = false;
    await downloads.allow();
    assert.deepEqual(behaviours(browser), ['deny', 'allowAndName']);
  });
});

describe('the downloads of a browser with tabs', () => {
  it('are allowed from the start', async () => {
    const browser = new FakeBrowser(false);
    const downloads = new BrowserDownloads(browser.cdp, '/downloads');
    await downloads.allow();
    assert.deepEqual(behaviours(browser), ['allowAndName']);
  });
});
