import { once } from 'node:events';
import { createServer } from 'node:http';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import WebSocket from 'ws';
import { socketUrl } from '../../../src/core/connection/socket.js';
import { encodeControl, PROTOCOL_VERSION, SUBPROTOCOL } from '../../../src/protocol/index.js';
import { askSession } from '../../e2e/support/ask-session.js';
import { portOf } from '../../../server/src/platform/network/port.js';
import { patient } from '../../support/limits.js';
import { pause, until } from '../../walk/deadline.js';
import type { Expected, Fault } from '../fault.js';
import type { Scene } from '../scene.js';
import { CLOCK_SERVICE, setClock } from '../support/clock.js';
import { isRecord } from '../../../server/src/platform/is-record.js';

const GOES_ON: Expected = { session: 'goes on', neighbour: 'goes on', told: [], facts: [], within: 15 };
const CONNECT_LIMIT_MS = patient(10_000);
/** A viewer that says nothing for 15 s counts as gone; a busy machine may notice a little later. */
const GONE_LIMIT_MS = patient(25_000);
const ONE_LESS = 'the viewer is counted no more';

/** Connects a second viewer that then sends nothing: no ping, no acknowledgement. */
async function silentViewer({ service, victim }: Scene): Promise<WebSocket> {
  const socket = new WebSocket(socketUrl(victim.session.embed_url), SUBPROTOCOL);
  socket.on('error', () => undefined);
  await once(socket, 'open');
  socket.send(encodeControl({ type: 'hello', version: PROTOCOL_VERSION, media: ['h264'] }));
  await until('the viewer is counted', CONNECT_LIMIT_MS, async () => {
    const { viewers } = await service.view(victim.session);
    return viewers === 2;
  });
  return socket;
}

async function oneLess({ service, victim }: Scene): Promise<readonly string[]> {
  await until(ONE_LESS, GONE_LIMIT_MS, async () => {
    const { viewers } = await service.view(victim.session);
    return viewers === 1;
  });
  return [ONE_LESS];
}

/**
 * Milliseconds for which a customer's endpoint is down, and the factor by which the service's clocks run
 * faster meanwhile.
 */
const DOWN_MS = 300_000;
const SPEED = 60;
/** The retry behind the five minutes is made 381 s after the first attempt. */
const ARRIVAL_LIMIT_MS = (400_000 / SPEED) * 2;
const ARRIVES = 'the event arrives once, and nothing waits';

/** The port of an endpoint without a server so far. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server.address());
  server.close();
  await once(server, 'close');
  return port;
}

const endpoint = await freePort();

/** Starts the endpoint after five minutes of the service's time, and accepts the requests that arrive. */
async function endpointComesBack({ service, victim, neighbour }: Scene): Promise<readonly string[]> {
  // The checks of running sessions must not see a fast clock.
  await service.end(neighbour.session);
  await setClock(service, { speed: SPEED });
  await pause(DOWN_MS / SPEED);
  const arrived: unknown[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      arrived.push(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      response.writeHead(200).end();
    });
  }).listen(endpoint, '127.0.0.1');
  try {
    const waiting = () => readdir(join(service.directory, 'state', 'events'));
    await until(ARRIVES, ARRIVAL_LIMIT_MS, async () => arrived.length > 0 && (await waiting()).length === 0);
    const fits = (event: unknown) =>
      isRecord(event) && event['session_id'] === victim.session.session_id && event['type'] === 'absolute';
    return arrived.length === 1 && arrived.every(fits) ? [ARRIVES] : [JSON.stringify(arrived)];
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Faults of users and of programs outside. */
export const PEOPLE_ROWS: readonly Fault[] = [
  {
    name: 'viewer gone',
    strike: async (scene) => (await silentViewer(scene)).terminate(),
    facts: oneLess,
    expected: { ...GOES_ON, facts: [ONE_LESS] },
    short: true,
  },
  {
    name: 'viewer silent',
    strike: async (scene) => {
      await silentViewer(scene);
    },
    facts: oneLess,
    expected: { ...GOES_ON, facts: [ONE_LESS] },
  },
  {
    name: 'webhook down 5 min',
    service: CLOCK_SERVICE,
    parameters: { timeout: { webhook: { url: `http://127.0.0.1:${endpoint}/` } } },
    strike: async ({ victim }) => {
      await askSession(victim.session, 'POST', 'timeout', { absolute: 1 });
    },
    facts: endpointComesBack,
    expected: {
      ...GOES_ON,
      session: 'ends: absolute',
      facts: [ARRIVES],
      logged: /an event could not be delivered yet/,
    },
  },
];
