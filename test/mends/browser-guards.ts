import type { Guard } from './guard.js';

const POLICIES = 'server/src/host/browser/launch/policies.ts';
const POLICY_TEST = 'test/unit/host/browser/policies.test.ts';
const ISOLATION = 'test/e2e/sandbox/isolation.test.ts';
const EXTENSIONS = 'test/e2e/sandbox/extension-limits.test.ts';

/** Guards that keep pages, extensions and users from the browser's dangerous functions. */
export const BROWSER_GUARDS: readonly Guard[] = [
  {
    name: 'the check that renderers have their own seccomp filter',
    edits: [
      {
        file: 'server/src/host/sandbox/proof.ts',
        search: 'if (filters <= browser.filters)',
        replace: 'if (filters < 0)',
      },
    ],
    proofs: [
      {
        file: 'test/e2e/sandbox/sandbox-proof.test.ts',
        title: 'does not start if Chromium only hides pages from other processes',
      },
    ],
  },
  {
    name: 'no file addresses',
    edits: [{ file: POLICIES, search: "    'file://*',\n", replace: '' }],
    proofs: [
      { file: POLICY_TEST, title: 'block files, internal pages and script addresses' },
      { file: ISOLATION, title: "cannot be a file when a user types the file's address" },
    ],
  },
  {
    name: 'no internal pages of the browser',
    edits: [{ file: POLICIES, search: "    'chrome://*',\n", replace: '' }],
    proofs: [
      { file: POLICY_TEST, title: 'block files, internal pages and script addresses' },
      { file: ISOLATION, title: 'opens no internal page of the browser: chrome://version' },
    ],
  },
  {
    name: 'no file dialogs',
    edits: [
      {
        file: POLICIES,
        search: 'AllowFileSelectionDialogs: false',
        replace: 'AllowFileSelectionDialogs: true',
      },
      // Either of the two is enough.
      {
        file: 'server/src/host/browser/files/choosers.ts',
        search: "'Page.setInterceptFileChooserDialog', { enabled: true }",
        replace: "'Page.setInterceptFileChooserDialog', { enabled: false }",
      },
    ],
    proofs: [{ file: ISOLATION, title: 'cannot open a dialog that lists files of the server' }],
  },
  {
    name: 'no Incognito window',
    edits: [
      { file: POLICIES, search: 'IncognitoModeAvailability: 1', replace: 'IncognitoModeAvailability: 0' },
    ],
    proofs: [
      { file: POLICY_TEST, title: 'prevent a second browser' },
      {
        file: EXTENSIONS,
        title: 'cannot read files or open a second browser, with a key: none',
        says: '"incognito":{"got"',
      },
    ],
  },
  {
    name: 'no guest window',
    edits: [
      { file: POLICIES, search: 'BrowserGuestModeEnabled: false', replace: 'BrowserGuestModeEnabled: true' },
    ],
    proofs: [{ file: POLICY_TEST, title: 'prevent a second browser' }],
  },
  {
    name: 'Chromium blocks the same permissions of extensions as the service',
    edits: [
      {
        file: POLICIES,
        search: 'blocked_permissions: BLOCKED_PERMISSIONS',
        replace: 'blocked_permissions: []',
      },
    ],
    proofs: [{ file: POLICY_TEST, title: "restrict all extensions except the service's own" }],
  },
  {
    name: 'the service refuses extensions with too many permissions',
    edits: [
      {
        file: 'server/src/extensions/manifest.ts',
        search: 'if (blocked) throw',
        replace: 'if (blocked === "") throw',
      },
    ],
    proofs: [
      {
        file: 'test/unit/service/pool/extension-archive.test.ts',
        title: 'that requires a permission that sessions do not grant is refused',
      },
    ],
  },
  {
    name: 'the manifest key of extensions is removed',
    edits: [
      {
        file: 'server/src/extensions/manifest.ts',
        search: '{ ...manifest, key: undefined }',
        replace: 'manifest',
      },
    ],
    proofs: [
      {
        file: 'test/unit/service/pool/extension-archive.test.ts',
        title: 'is passed to Chromium with exactly the manifest that was checked',
      },
      {
        file: EXTENSIONS,
        title: 'cannot read files or open a second browser, with a key: of its own',
        says: 'fileAccess',
      },
    ],
  },
  {
    name: 'extensions have no access to files',
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
        title: 'cannot read files or open a second browser, with a key: none',
        says: 'fileAccess',
      },
    ],
  },
  {
    name: 'no connection without the proxy',
    edits: [{ file: POLICIES, search: "ProxyBypassList: '<-loopback>'", replace: "ProxyBypassList: '*'" }],
    proofs: [{ file: POLICY_TEST, title: 'allow no route except the proxy' }],
  },
  {
    name: 'only users with the role receive copied content',
    edits: [
      {
        file: 'server/src/host/features/clipboard/clipboard-service.ts',
        search: "const copying = forRole('clipboard_copy');",
        replace: 'const copying = () => void forRole;',
      },
    ],
    proofs: [
      {
        file: 'test/unit/host/clipboard/clipboard-service.test.ts',
        title: 'delivers content only to users with the role',
      },
    ],
  },
  {
    name: 'a user cannot paste the clipboard of another user',
    edits: [
      {
        file: 'server/src/host/input/shared-clipboard.ts',
        search: 'if (this.#offeredBy === undefined || this.#offeredBy === identity) return undefined;',
        replace: 'if (this.#offeredBy !== identity) return undefined;',
      },
    ],
    proofs: [
      {
        file: 'test/unit/host/clipboard/clipboard-service.test.ts',
        title: "removes content of other users before a user's key",
      },
    ],
  },
];
