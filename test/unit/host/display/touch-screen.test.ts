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

test('a finger has half of the pressure, as on a screen that does not measure it', async (context) => {
  const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-touch-'));
  context.after(() => rm(directory, { recursive: true }));
  const path = join(directory, 'touch');
  const driver = createServer().listen(path);
  await once(driver, 'listening');
  const connected = once(driver, 'connection') as Promise<[Socket]>;
  const connection = { size: { width: 1280, height: 720 } } as unknown as XConnection;
  const opened = TouchScreen.open(connection, path);
  const [socket] = await connected;
  context.after(() => {
    socket.destroy();
    driver.close();
  });
  await once(socket, 'data');
  socket.write('hello');
  const screen = await opened;
  const received = once(socket, 'data') as Promise<[Buffer]>;
  screen.press({ x: 0, y: 0 });
  const [touch] = await received;
  screen.close();
  // The mask of axes, and the fifth of the values that follow the header.
  assert.equal((touch[20] ?? 0) & 0b10000, 0b10000);
  assert.equal(touch.readDoubleLE(32 + 4 * 8), 2047 / 2);
});
