import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { FieldMask } from '../../../../server/src/host-protocol.js';
import { extensionId, OWN_EXTENSIONS } from '../../../../server/src/host/browser/launch/extensions.js';
import { writePolicies } from '../../../../server/src/host/browser/launch/policies.js';

const SESSION: Parameters<typeof writePolicies>[1] = {
  ...{ keepProfile: false, kiosk: false, fieldMasking: [], restoreTabs: false },
  userAgent: 'desktop',
  searchEngine: { name: 'x', keyword: 'x', url: 'https://x.example/?q={searchTerms}' },
};
let directory: string;
let policies: Record<string, unknown>;
let write: (fieldMasking: FieldMask[]) => Promise<Record<string, unknown>>;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'policies-'));
  write = async (fieldMasking) => {
    await writePolicies(directory, { ...SESSION, keepProfile: true, fieldMasking });
    return JSON.parse(await readFile(join(directory, 'session.json'), 'utf8')) as Record<string, unknown>;
  };
  policies = await write([]);
});
after(() => rm(directory, { recursive: true }));

describe('the policies of a session', () => {
  it('restore tabs only if the browser opens its first window on request', async () => {
    const restores = async (settings: object) => {
      await writePolicies(directory, { ...SESSION, ...settings });
      const written = JSON.parse(await readFile(join(directory, 'session.json'), 'utf8')) as object;
      return 'RestoreOnStartup' in written;
    };
    const phone = { userAgent: 'chrome_android' };
    const masked = { fieldMasking: [{ matches: ['*'], selectors: ['input'] }] };
    assert.equal(await restores({ ...phone, restoreTabs: true }), true);
    assert.equal(await restores({ ...masked, restoreTabs: true }), true);
    assert.equal(await restores({ ...phone, restoreTabs: false }), false);
    assert.equal(await restores({ restoreTabs: true }), false);
  });

  it('block files, internal pages and script addresses', () => {
    const closed = policies['URLBlocklist'] as string[];
    for (const scheme of ['file://*', 'view-source:*', 'chrome://*', 'devtools://*', 'javascript://*'])
      assert.ok(closed.includes(scheme), scheme);
  });

  it('disable autofill where fields are masked', async () => {
    const names = ['AutofillAddressEnabled', 'AutofillCreditCardEnabled', 'PasswordManagerEnabled'];
    const masked = await write([{ matches: ['*'], selectors: ['input'] }]);
    for (const name of names) assert.deepEqual([policies[name], masked[name]], [undefined, false], name);
  });

  it('prevent a second browser', () => {
    // 1 is "disabled".
    assert.equal(policies['IncognitoModeAvailability'], 1);
    for (const name of ['BrowserGuestModeEnabled', 'BrowserAddPersonEnabled', 'BackgroundModeEnabled'])
      assert.equal(policies[name], false, name);
  });

  it('allow no route except the proxy', () => {
    assert.deepEqual(policies['ProxySettings'], {
      ...{ ProxyMode: 'fixed_servers', ProxyServer: 'http://127.0.0.1:3128', ProxyBypassList: '<-loopback>' },
    });
    assert.equal(policies['WebRtcIPHandling'], 'disable_non_proxied_udp');
  });

  it("block the machine's devices for pages", () => {
    for (const name of ['AudioCaptureAllowed', 'VideoCaptureAllowed', 'ScreenCaptureAllowed'])
      assert.equal(policies[name], false, name);
    for (const device of ['Serial', 'WebUsb', 'WebBluetooth', 'WebHid', 'FileSystemRead', 'FileSystemWrite'])
      assert.equal(policies[`Default${device}GuardSetting`], 2, device);
  });

  it("restrict all extensions except the service's own", () => {
    const settings = policies['ExtensionSettings'] as Record<string, { blocked_permissions?: string[] }>;
    assert.deepEqual(
      Object.keys(settings).sort(),
      ['*', ...OWN_EXTENSIONS.map((name) => extensionId(name))].sort(),
    );
    for (const permission of ['debugger', 'management', 'nativeMessaging', 'proxy'])
      assert.ok(settings['*']?.blocked_permissions?.includes(permission), permission);
  });
});
