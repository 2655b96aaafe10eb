import type { Welcome } from '../../src/protocol/index.js';
import { CloudBrowserClient } from '../../src/core/index.js';
import { FakeHost } from './fake-host.js';
import { ManualTimers } from './manual-timers.js';

/** A client that a fake host has accepted, and the manual clock that both use. */
export async function connectedClient(fields: Partial<Welcome> = {}): Promise<{
  client: CloudBrowserClient;
  host: FakeHost;
  timers: ManualTimers;
}> {
  const host = new FakeHost();
  const timers = new ManualTimers();
  const { createSocket } = host;
  const embedUrl = 'https://example.com/abc?token=t';
  const client = new CloudBrowserClient({ embedUrl, media: ['image'], createSocket, timers });
  const connected = client.connect();
  host.last.welcome(fields);
  await connected;
  // The lazily loaded clipboard code of such a session is available.
  await import('../../src/core/clipboard/clipboard-transfers.js');
  await new Promise((resolve) => setImmediate(resolve));
  return { client, host, timers };
}
