import type { Guard } from './guard.js';

const POLICIES = 'server/src/host/browser/launch/policies.ts';
const POLICY_TEST = 'test/unit/host/policies.test.ts';
const ISOLATION = 'test/e2e/isolation.test.ts';
const DOOR = 'test/unit/service/door.test.ts';
const PROXY_TEST = 'test/unit/egress/session-proxy.test.ts';
const EXTENSIONS = 'test/e2e/extension-limits.test.ts';
const INSIDE_TEST = 'test/unit/service/inside.test.ts';

/** What keeps pages, viewers, customers and strangers from what is not theirs. */
export const SERVICE_GUARDS: readonly Guard[] = [
  {
    name: 'renderers are examined for a filter of their own',
    edits: [
      {
        file: 'server/src/host/sandbox/proof.ts',
        search: 'if (filters <= browser.filters)',
        replace: 'if (filters < 0)',
      },
    ],
    proofs: [
      {
        file: 'test/e2e/sandbox-proof.test.ts',
        title: 'does not start where Chromium only hides pages from other processes',
      },
    ],
  },
  {
    name: 'no addresses of files',
    edits: [{ file: POLICIES, search: "    'file://*',\n", replace: '' }],
    proofs: [
      { file: POLICY_TEST, title: 'close files, the browser’s own pages and scripts as addresses' },
      { file: ISOLATION, title: 'is not a file for those who type its address, either' },
    ],
  },
  {
    name: 'no pages of the browser itself',
    edits: [{ file: POLICIES, search: "    'chrome://*',\n", replace: '' }],
    proofs: [
      { file: POLICY_TEST, title: 'close files, the browser’s own pages and scripts as addresses' },
      { file: ISOLATION, title: 'opens no page of the browser itself: chrome://version' },
    ],
  },
  {
    name: 'no dialogs of files',
    edits: [
      {
        file: POLICIES,
        search: 'AllowFileSelectionDialogs: false',
        replace: 'AllowFileSelectionDialogs: true',
      },
    ],
    proofs: [{ file: ISOLATION, title: 'cannot bring up a dialog that lists files of the server' }],
  },
  {
    name: 'no Incognito window',
    edits: [
      { file: POLICIES, search: 'IncognitoModeAvailability: 1', replace: 'IncognitoModeAvailability: 0' },
    ],
    proofs: [
      { file: POLICY_TEST, title: 'open no second browser' },
      {
        file: EXTENSIONS,
        title: 'reads no files and opens no second browser, with a key: none',
        says: '"incognito":{"got"',
      },
    ],
  },
  {
    name: 'no guest',
    edits: [
      { file: POLICIES, search: 'BrowserGuestModeEnabled: false', replace: 'BrowserGuestModeEnabled: true' },
    ],
    proofs: [{ file: POLICY_TEST, title: 'open no second browser' }],
  },
  {
    name: 'Chromium refuses extensions what the service refuses',
    edits: [
      {
        file: POLICIES,
        search: 'blocked_permissions: BLOCKED_PERMISSIONS',
        replace: 'blocked_permissions: []',
      },
    ],
    proofs: [{ file: POLICY_TEST, title: 'limit every extension but ours' }],
  },
  {
    name: 'the service refuses extensions that ask too much',
    edits: [
      {
        file: 'server/src/extensions/manifest.ts',
        search: 'if (blocked) throw',
        replace: 'if (blocked === "") throw',
      },
    ],
    proofs: [
      {
        file: 'test/unit/service/extension-archive.test.ts',
        title: 'that requires a permission which sessions do not give is refused',
      },
    ],
  },
  {
    name: 'extensions without a key',
    edits: [
      {
        file: 'server/src/extensions/manifest.ts',
        search: '{ ...manifest, key: undefined }',
        replace: 'manifest',
      },
    ],
    proofs: [
      {
        file: 'test/unit/service/extension-archive.test.ts',
        title: 'is given to Chromium with the manifest that was checked, and none that is read otherwise',
      },
      {
        file: EXTENSIONS,
        title: 'reads no files and opens no second browser, with a key: of its own',
        says: 'fileAccess',
      },
    ],
  },
  {
    name: 'extensions without files',
    edits: [
      {
        file: 'server/src/host/browser/launch/preferences.ts',
        search: 'newAllowFileAccess: false',
        replace: 'newAllowFileAccess: true',
      },
    ],
    proofs: [
      {
        file: EXTENSIONS,
        title: 'reads no files and opens no second browser, with a key: none',
        says: 'fileAccess',
      },
    ],
  },
  {
    name: 'no way around the proxy',
    edits: [{ file: POLICIES, search: "ProxyBypassList: '<-loopback>'", replace: "ProxyBypassList: '*'" }],
    proofs: [{ file: POLICY_TEST, title: 'leave no way but the proxy' }],
  },
  {
    name: 'the guard of addresses',
    edits: [
      {
        file: 'server/src/egress/guard.ts',
        search: "return rules.opens(host, plain, port) ? undefined : (kind ?? 'own_address');",
        replace: 'return undefined;',
      },
    ],
    proofs: [
      {
        file: PROXY_TEST,
        title: 'is refused by the kind of its address, in every spelling, with a page that says so',
      },
    ],
  },
  {
    name: 'the guard of the service',
    edits: [
      {
        file: 'server/src/egress/guard.ts',
        search: 'if (own && port === servicePort())',
        replace: 'if (own && port < 0)',
      },
    ],
    proofs: [{ file: PROXY_TEST, title: 'does not reach the service, unless its very port is opened' }],
  },
  {
    name: 'every request on a kept connection is judged',
    edits: [
      {
        file: 'server/src/egress/plain-request.ts',
        search: 'lookup: pinned(await reach.guard.addresses(host, port))',
        replace:
          'lookup: (name, options, done) => { reach.guard.addresses(name, port).then((all) => pinned(all)(name, options, done), (error) => done(error, "")); }',
      },
    ],
    proofs: [{ file: PROXY_TEST, title: 'is checked each time on a connection that is kept' }],
  },
  {
    name: 'what was judged is dialled',
    edits: [
      {
        file: 'server/src/egress/guard.ts',
        search: 'for (const { address } of addresses) {',
        replace: 'for (const { address } of addresses.slice(0, 1)) {',
      },
    ],
    proofs: [
      {
        file: PROXY_TEST,
        title: 'is refused when one address of its name is not open, and dials none that was not checked',
      },
    ],
  },
  {
    name: 'webhooks to public addresses',
    edits: [
      {
        file: 'server/src/webhooks/guarded-client.ts',
        search: 'if (!addresses.every(({ address }) => this.#isOpen(host, address, port)))',
        replace: 'if (addresses.length + port < 0)',
      },
    ],
    proofs: [
      {
        file: 'test/unit/service/webhook-client.test.ts',
        title: 'does not dial what is not public, however it is written',
      },
    ],
  },
  {
    name: 'guessers are slowed',
    edits: [
      {
        file: 'server/src/platform/attempts.ts',
        search: 'return this.#right.has(keyOf(address, credential)) || this.#wrong.take(networkOf(address));',
        replace: 'this.#wrong.take(networkOf(address)); return credential !== "";',
      },
    ],
    proofs: [
      { file: DOOR, title: 'is slowed after a hundred wrong keys, and learns nothing of a right one' },
    ],
  },
  {
    name: 'links in the place of a profile',
    edits: [
      {
        file: 'server/src/platform/inside.ts',
        search: 'open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)',
        replace: 'open(path, O_RDONLY | O_DIRECTORY)',
      },
    ],
    proofs: [
      { file: INSIDE_TEST, title: 'leads nowhere else by its links, neither reading nor writing' },
      {
        file: 'test/unit/profiles/file-profile-store.test.ts',
        title: 'are not what a link in their place points to',
      },
    ],
  },
  {
    name: 'locks that are no links',
    edits: [{ file: 'server/src/platform/file-lock.ts', search: ' | constants.O_NOFOLLOW', replace: '' }],
    proofs: [
      {
        file: 'test/unit/service/file-lock.test.ts',
        title: 'is no link, no pipe and no directory that somebody put there',
      },
    ],
  },
  {
    name: 'locks where others cannot write',
    edits: [
      {
        file: 'server/src/platform/file-lock.ts',
        search: 'if (!own || (found.mode & WRITABLE_BY_OTHERS) !== 0)',
        replace: 'if (!own && WRITABLE_BY_OTHERS < 0)',
      },
    ],
    proofs: [
      {
        file: 'test/unit/service/file-lock.test.ts',
        title: 'is not looked for in a directory that others can write to',
      },
    ],
  },
  {
    name: 'tokens stay behind',
    edits: [
      {
        file: 'server/src/gateway/handover.ts',
        search: "url: '/', headers",
        replace: "url: request.url ?? '/', headers",
      },
    ],
    proofs: [
      {
        file: 'test/unit/service/gateway.test.ts',
        title: 'is handed to the host of its session, without what the host need not know',
      },
    ],
  },
  {
    name: 'processes end with who started them',
    edits: [
      {
        file: 'server/src/platform/child-process.ts',
        search: "['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--']",
        replace: "['setpriv', '--no-new-privs', '--']",
      },
    ],
    proofs: [
      {
        file: 'test/e2e/lifecycle.test.ts',
        title: 'by SIGKILL leaves nothing alive after five seconds, and starts clean where it was',
      },
    ],
  },
];
