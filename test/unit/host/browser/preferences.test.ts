import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { extensionId } from '../../../../server/src/host/browser/launch/extensions.js';
import { writePreferences } from '../../../../server/src/host/browser/launch/preferences.js';

const OURS = {
  browser: { custom_chrome_frame: false },
  settings: { a11y: { caretbrowsing: { show_dialog: false } } },
  download_bubble: { partial_view_enabled: false },
  custom_handlers: { enabled: false },
  profile: { default_content_setting_values: { automatic_downloads: 1 } },
  extensions: {
    settings: { [extensionId('own')]: { newAllowFileAccess: false } },
    pinned_extensions: [extensionId('own')],
  },
};
let home: string;
let path: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'preferences-'));
  path = join(home, 'profile', 'Default', 'Preferences');
});
afterEach(() => rm(home, { recursive: true, force: true }));

const written = async (): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));

describe("the browser's preferences at the start", () => {
  it('are written into a new profile', async () => {
    await writePreferences(home);
    assert.deepEqual(await written(), OURS);
    const gtk = await readFile(join(home, '.config', 'gtk-3.0', 'settings.ini'), 'utf8');
    assert.match(gtk, /^gtk-enable-primary-paste=false$/m);
  });

  it('keep the other preferences of a profile', async () => {
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(
      path,
      '{"browser":{"custom_chrome_frame":true,"kept":1},"settings":{"a11y":null},"other":[2]}',
    );
    await writePreferences(home);
    assert.deepEqual(await written(), {
      ...OURS,
      browser: { custom_chrome_frame: false, kept: 1 },
      other: [2],
    });
  });

  // Proves: profile and tabs, session after session
  it("contain the user's extensions, and none of an earlier session", async () => {
    const known = { path: '/run/extensions/bridge', service_worker_registration_info: { version: '1.0' } };
    const ids = (['bridge', 'adblock', 'draw', 'own'] as const).map(extensionId);
    const theirs = 'a'.repeat(32);
    const settings = Object.fromEntries([...ids, theirs].map((id) => [id, known]));
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, JSON.stringify({ extensions: { settings, pinned_extensions: [theirs] } }));
    await writePreferences(home);
    assert.deepEqual(await written(), {
      ...OURS,
      extensions: {
        settings: { ...OURS.extensions.settings, [theirs]: known },
        pinned_extensions: [theirs, extensionId('own')],
      },
    });
  });

  for (const link of [
    'profile',
    'profile/Default',
    'profile/Default/Preferences',
    '.config/gtk-3.0/settings.ini',
  ])
    it(`are not written through a link that a browser has left: ${link}`, async () => {
      const outside = await mkdtemp(join(tmpdir(), 'preferences-outside-'));
      const [secret, target] = [join(outside, 'Preferences'), join(home, link)];
      await writeFile(secret, '{"not":"ours"}');
      await mkdir(dirname(target), { recursive: true });
      await symlink(/\.|Pref/.test(link) ? secret : outside, target);
      await writePreferences(home);
      assert.deepEqual(await written(), OURS);
      assert.deepEqual(await readdir(outside), ['Preferences']);
      assert.equal(await readFile(secret, 'utf8'), '{"not":"ours"}');
      await rm(outside, { recursive: true });
    });

  it('do not wait for special files, and are not read from too large ones', async () => {
    await mkdir(dirname(path), { recursive: true });
    execFileSync('mkfifo', [path]);
    await writePreferences(home);
    assert.deepEqual(await written(), OURS);
    await truncate(path, 2 ** 31);
    await writePreferences(home);
    assert.deepEqual(await written(), OURS);
  });

  for (const text of ['', '{"browser":', '[]', 'null'])
    it(`replace unreadable preferences: ${text}`, async () => {
      await mkdir(join(path, '..'), { recursive: true });
      await writeFile(path, text);
      await writePreferences(home);
      assert.deepEqual(await written(), OURS);
    });
});
