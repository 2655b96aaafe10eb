import assert from 'node:assert/strict';
import type { WebSocket } from '@playwright/test';
import { isFramePart } from '../../../src/protocol/index.js';
import { startLossyLine } from '../support/lossy-line.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';
import { Viewer } from '../support/viewer.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };
const VEIL = [30, 160, 60] as const;

test('a viewer on a line that loses packets gets a second connection, and continues without it', async ({
  show,
  service,
  browser,
}) => {
  const { remote, session } = await show('motion', SIZE);
  await remote.fills(SIZE);
  const line = await startLossyLine(service.url);
  const page = await browser.newPage({ viewport: SIZE });
  /** The sockets of the viewer, each with the number of parts that it has brought. */
  const sockets = new Map<WebSocket, number>();
  page.on('websocket', (socket) => {
    sockets.set(socket, 0);
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload !== 'string' && isFramePart(payload))
        sockets.set(socket, (sockets.get(socket) ?? 0) + 1);
    });
  });
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  const viewer = new Viewer(page);
  await page.goto(line.through(session.embed_url));
  await viewer.playing();

  await remote.run('move()');
  await until('both connections bring parts of frames', () => {
    const [first = 0, second = 0] = sockets.values();
    return first > 50 && second > 50;
  });
  const states = await viewer.recordStates();
  line.cutNewest();
  await until('the second connection has ended', () => [...sockets.keys()][1]?.isClosed());
  await remote.run('rest()');
  await viewer.shows(VEIL, 400, 300);
  assert.deepEqual([await states(), errors], [[], []]);
});
