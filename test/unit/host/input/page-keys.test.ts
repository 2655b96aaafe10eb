import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CdpSession } from '../../../../server/src/host/browser/cdp/cdp-session.js';
import type { Pages } from '../../../../server/src/host/browser/pages/pages.js';
import { PageKeys } from '../../../../server/src/host/input/keyboard/page-keys.js';

test('a key with an unknown code has the key code 0, whatever its name is', async () => {
  const codes: unknown[] = [];
  const sendUrgent = (_method: string, params: Record<string, unknown>) =>
    Promise.resolve(codes.push(params['windowsVirtualKeyCode']));
  const page = { sendUrgent } as unknown as CdpSession;
  const keys = new PageKeys({} as unknown as Pages);
  const event = { type: 'key', seq: 0, modifiers: 0, key: 'é', pressed: true, repeat: false } as const;
  for (const code of ['constructor', '__proto__', 'Unknown', 'Comma'])
    await keys.send(page, { ...event, code });
  assert.deepEqual(codes, [0, 0, 0, 188]);
});
