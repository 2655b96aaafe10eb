import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { TouchScreen } from '../../../../server/src/host/display/touch-screen.js';
import type { XConnection } from '../../../../server/src/host/display/x-client.js';

test('a touch screen whose driver refuses the version is refused', async (context) => {
  const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-touch-'));
  context.after(() => rm(directory, { recursive: true }));
  const path = join(directory, 'touch');
  const driver = createServer((connection: Socket) => {
    // The driver closes the connection without an answer.
    connection.once('data', () => connection.end());
    driver.close();
  }).listen(path);
  await once(driver, 'listening');
  const connection = { size: { width: 1280, height: 720 } } as unknown as XConnection;
  await assert.rejects(TouchScreen.open(connection, path), /closed the connection/);
});
