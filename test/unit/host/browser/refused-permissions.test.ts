import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { settle } from '../../../fakes/passing-time.js';
import { refusePermissions } from '../../../../server/src/host/browser/pages/guard/refused-permissions.js';

/** Returns the permissions that a page refuses without a prompt. */
async function refused(kiosk: boolean): Promise<string[]> {
  const browser = new FakeBrowser(false);
  refusePermissions(browser.cdp.browser, kiosk);
  await settle();
  return browser.commands
    .filter(({ method, params }) => method === 'Browser.setPermission' && params['setting'] === 'denied')
    .map(({ params }) => (params['permission'] as { name: string }).name);
}

describe('the prompts of pages', () => {
  it('do not ask for devices, fonts and screens that a session does not have', async () => {
    const names = await refused(false);
    for (const name of ['idle-detection', 'local-fonts', 'midi', 'window-management'])
      assert.ok(names.includes(name), name);
  });

  it('ask people for the clipboard', async () => {
    assert.equal((await refused(false)).includes('clipboard-read'), false);
  });

  it('do not exist in a kiosk', async () => {
    const names = await refused(true);
    for (const name of [...(await refused(false)), 'clipboard-read', 'keyboard-lock'])
      assert.ok(names.includes(name), name);
  });
});
