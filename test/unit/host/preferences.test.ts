import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { extensionId } from '../../../server/src/host/browser/launch/extensions.js';
import { writePreferences } from '../../../server/src/host/browser/launch/preferences.js';

const OURS = {
  browser: { custom_chrome_frame: false },
  settings: { a11y: { caretbrowsing: { show_dialog: false } } },
  custom_handlers: { enabled: false },
  profile: { default_content_setting_values: { automatic_downloads: 2 } },
  extensions: { settings: { [extensionId('own')]: { newAllowFileAccess: false } } },
};
let home: string;
let path: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'preferences-'));
  path = join(home, 'profile', 'Default', 'Preferences');
});
afterEach(() => rm(home, { recursive: true, force: true }));

const written = async (): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));

describe('what the browser reads when it starts', () => {
  it('is written into a new profile', async () => {
    await writePreferences(home);
    assert.deepEqual(await written(), OURS);
    const gtk = await readFile(join(home, '.config', 'gtk-3.0', 'settings.ini'), 'utf8');
    assert.match(gtk, /^gtk-enable-primary-paste=false$/m);
  });

  it('leaves the other preferences of a profile as they are', async () => {
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

  for (const text of ['', '{"browser":', '[]', 'null'])
    it(`replaces preferences that cannot be read: ${text}`, async () => {
      await mkdir(join(path, '..'), { recursive: true });
      await writeFile(path, text);
      await writePreferences(home);
      assert.deepEqual(await written(), OURS);
    });
});
