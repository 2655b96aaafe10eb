import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { FromHost, HostPlace } from '../../../server/src/host-protocol.js';
import type { StartOrder } from '../../../server/src/host/enforce-limits.js';
import { SessionHost } from '../../../server/src/host/session-host.js';
import type { EarlyParts } from '../../../server/src/host/workstation/early-parts.js';
import type { WarmWorkstation } from '../../../server/src/host/workstation/warm-workstation.js';

it('a session whose browser does not stop reports its end, and logs the error', async () => {
  const told: FromHost[] = [];
  const workstation = {
    get devices(): never {
      throw new Error('no devices');
    },
    stop: () => Promise.reject(new Error('a program cannot be ended')),
  };
  // The session ends before it uses any other part.
  const host = new SessionHost(
    {
      session: { sessionId: 's', adminTokenHash: null },
      limits: {},
      sharesProcessor: false,
    } as unknown as StartOrder,
    { directory: '' } as HostPlace,
    { sound: { stop: () => Promise.resolve() } } as unknown as EarlyParts,
    (message) => told.push(message),
    { become: () => Promise.resolve(workstation) } as unknown as WarmWorkstation,
  );
  await host.start();
  const errors = told.flatMap((message) => (message.type === 'log' ? [message.fields?.['cause']] : []));
  assert.deepEqual(errors, ['no devices', 'a program cannot be ended']);
  assert.deepEqual(told.at(-1), {
    type: 'ended',
    reason: 'crashed',
    message: 'The session could not start.',
  });
});
