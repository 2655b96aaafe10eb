import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { SUBPROTOCOL } from 'cloud-browser/protocol';
import { ADDRESS_PATTERN, decodeSessionId } from '../sessions/session-address.js';
import { systemClock, type Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { ServiceError } from '../service-error.js';
import type { EmbedAccess } from '../sessions/embed-access.js';
import { clientAddress } from './client-address.js';
import { handoverOf } from './handover.js';
import { JoinRate } from './join-rate.js';
import { ViewerRefusals } from './refuse-viewer.js';

interface Target {
  sessionId: string;
  token: string | undefined;
}

const TOO_OFTEN =
  'Too many connections to this session come from your address. Wait a minute, then try again.';
const ADDRESS = new RegExp(`^/(${ADDRESS_PATTERN})$`);

/**
 * Where viewers' WebSockets arrive: decides who may in, and hands the socket itself to the session's host, so that no
 * frame crosses this process. Origins are not checked: embeds live on any site, and the token is the credential.
 */
export class Gateway {
  readonly #refusals = new ViewerRefusals();
  readonly #joinRate: JoinRate;

  constructor(
    private readonly embedAccess: EmbedAccess,
    private readonly log: Log,
    /** Reverse proxies of ours that stand before this service. */
    private readonly proxies: number,
    clock: Clock = systemClock,
  ) {
    this.#joinRate = new JoinRate(clock);
  }

  /** Takes every upgrade that this server receives. */
  serve(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // From here on nobody else listens; a reset by the peer must not end the process.
      socket.on('error', () => socket.destroy());
      this.#upgrade(request, socket, head).catch((error: unknown) => {
        this.log.error('an upgrade failed', { error });
        socket.destroy();
      });
    });
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const target = targetOf(request);
    if (target instanceof ServiceError) {
      socket.end(target.rawAnswer);
      return;
    }

    const ip = clientAddress(request, this.proxies);
    const verdict = this.#joinRate.verdict(target.sessionId, ip);
    if (verdict !== 'join') {
      if (verdict === 'drop') socket.destroy();
      else this.#refusals.refuse(request, socket, head, 'flooding', TOO_OFTEN);
      return;
    }

    const access = await this.embedAccess.decide(target.sessionId, target.token);
    if (!access.admitted) {
      this.#refusals.refuse(request, socket, head, access.reason, access.message);
    } else if (!offeredProtocols(request).includes(SUBPROTOCOL)) {
      const message = 'This page is of another version than the service. Reload it.';
      this.#refusals.refuse(request, socket, head, 'unsupported', message);
    } else if (socket instanceof Socket) {
      socket.setTimeout(0);
      await access.session.attach(handoverOf(request, head, randomUUID(), ip), socket);
    } else {
      socket.destroy();
    }
  }
}

/** Which session a request is for, or why it cannot be a viewer's. */
function targetOf({ method, url = '', headers }: IncomingMessage): Target | ServiceError {
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') {
    return new ServiceError('err_bad_request', 'Only WebSockets are upgraded to.');
  }
  const [path = '', query = ''] = url.split('?', 2);
  const address = ADDRESS.exec(path)?.[1];
  if (address === undefined) return new ServiceError('err_not_found', 'WebSocket at this address');
  return { sessionId: decodeSessionId(address), token: new URLSearchParams(query).get('token') ?? undefined };
}

function offeredProtocols(request: IncomingMessage): string[] {
  return (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
}
