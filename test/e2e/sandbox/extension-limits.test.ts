import assert from 'node:assert/strict';
import { zip } from '../../fakes/zip.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
// Isolation must hold every time, so these tests are not retried.
test.describe.configure({ retries: 0 });

/** A file that every process in the browser's sandbox can read. */
const FILE = 'file:///etc/fonts/fonts.conf';

/** Tries the APIs that an extension can request, and passes the outcome to the page of the session. */
const WORKER = `
const tries = {
  file: async () => (await (await fetch('${FILE}')).text()).length,
  fileAccess: () => chrome.extension.isAllowedFileSchemeAccess(),
  // An extension cannot see such a window. It gets an error if the window cannot be opened.
  incognito: async () => chrome.windows.create({ incognito: true, url: 'about:blank' }).then(() => 'opened'),
  debugger: async () => typeof chrome.debugger !== 'undefined' && (await chrome.permissions.contains({ permissions: ['debugger'] })),
  fileTab: async () => {
    const tab = await chrome.tabs.create({ url: '${FILE}', active: false });
    const answer = await chrome.scripting.executeScript({ target: { tabId: tab.id }, func: () => document.documentElement.outerHTML });
    return answer[0].result.includes('fontconfig') && answer[0].result.length;
  },
};
chrome.runtime.onMessage.addListener((message, sender, answer) => {
  (async () => {
    const outcome = {};
    for (const [name, attempt] of Object.entries(tries)) {
      try {
        outcome[name] = { got: (await attempt()) || null };
      } catch (error) {
        outcome[name] = { refused: String(error) };
      }
    }
    answer(outcome);
  })();
  return true;
});`;
const CONTENT = `chrome.runtime.sendMessage('try').then((outcome) => {
  document.documentElement.dataset.outcome = JSON.stringify(outcome);
});`;

/**
 * Identifiers that an extension may have: the default one, one that it chooses, and the one of the tabs
 * extension of the service, which has other limits.
 */
const KEYS = { none: undefined, 'of its own': btoa('own'), 'of ours': btoa('/run/extensions/bridge') };

const extension = (permissions: string[], key?: string) =>
  zip([
    {
      name: 'manifest.json',
      content: JSON.stringify({
        manifest_version: 3,
        name: 'Curious',
        version: '1',
        permissions,
        key,
        optional_permissions: ['debugger'],
        host_permissions: ['<all_urls>'],
        background: { service_worker: 'worker.js' },
        content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['content.js'] }],
      }),
    },
    { name: 'worker.js', content: WORKER },
    { name: 'content.js', content: CONTENT },
  ]);

test.describe("a customer's extension", () => {
  for (const [what, key] of Object.entries(KEYS)) {
    test(`cannot read files or open a second browser, with a key: ${what}`, async ({ service, pages }) => {
      const page = pages.page('marker');
      const archive = extension(['tabs', 'scripting'], key);
      const session = await service.createWith(archive, { start_url: page.url });
      await page.loaded();
      const text = await until('the extension has tried everything', () =>
        page.run("document.documentElement.dataset.outcome ?? ''"),
      );
      const outcome = JSON.parse(String(text)) as Record<string, { got?: unknown; refused?: string }>;
      assert.deepEqual(Object.keys(outcome), ['file', 'fileAccess', 'incognito', 'debugger', 'fileTab']);
      for (const [name, { got, refused }] of Object.entries(outcome))
        assert.ok(refused !== undefined || got === null, `${name}: ${String(text)}`);
      await service.end(session);
    });
  }
});
