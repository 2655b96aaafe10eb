import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { SUBPROTOCOL, type ServerDisconnectReason } from 'cloud-browser/protocol';
import { ADDRESS_PATTERN, AUTOMATION_PATH, decodeSessionId } from '../sessions/viewers/session-address.js';
import type { Attempts } from '../platform/rates/attempts.js';
import type { Clock } from '../platform/time/clock.js';
import { closeAtOnce } from '../platform/network/connections/close-at-once.js';
import type { Log } from '../platform/log.js';
import type { AllowedOrigins } from '../platform/network/origins.js';
import type { RefusalLog } from '../platform/refusal-log.js';
import { ServiceError } from '../service-error.js';
import type { OtherNodes } from '../sessions/placement/other-nodes.js';
import type { EmbedAccess } from '../sessions/viewers/embed-access.js';
import type { AutomationAccess } from '../sessions/viewers/automation-access.js';
import type { RequestRates } from '../sessions/viewers/request-rates.js';
import { clientAddress } from '../platform/network/client-address.js';
import { AutomationGate } from './automation-gate.js';
import { ConnectionCaps, type ConnectionLimits } from './connection-caps.js';
import { handoverOf } from './handover.js';
import { JoinRate } from './join-rate.js';
import { ViewerRefusals } from './refuse-viewer.js';

interface Target {
  sessionId: string;
  token: string | undefined;
  /** True if the client is a program that drives the session. False for a viewer. */
  automates: boolean;
}

const FOREIGN_PAGE = 'This page may not show sessions. Ask the operator of the service to allow it.';
const TOO_OFTEN =
  'Too many connections to this session come from your address. Wait a minute, then try again.';
/** Number of seconds after which a program that has connected too often may connect again. */
const JOIN_AGAIN_SECONDS = 10;
/** Id that no session has. */
const NO_SESSION = '00000000-0000-0000-0000-000000000000';
const ADDRESS = new RegExp(`^/(${ADDRESS_PATTERN})(${AUTOMATION_PATH})?$`);

/** Dependencies of the gateway. */
export interface GatewayParts {
  embedAccess: EmbedAccess;
  automationAccess: AutomationAccess;
  otherNodes: OtherNodes;
  log: Log;
  clock: Clock;
  /** Number of the operator's reverse proxies in front of this service. */
  proxies: number;
  /** Origins of the pages that may show sessions. */
  origins: AllowedOrigins;
  /** Slows down clients that guess tokens. */
  attempts: Attempts;
  refusals: RefusalLog;
  /** Limits how often programs connect. */
  requestRates: RequestRates;
  limits: ConnectionLimits;
}

/**
 * Handles the WebSocket upgrades of viewers and programs. Admits clients by their tokens. In a session with
 * an authorization endpoint, viewers need no token here. Passes the socket of an admitted client to the
 * session's host. So the frames of this node's sessions do not pass through this process. If the operator has
 * set the allowed origins, the page of a viewer must have one of these origins or belong to the service. A
 * program must send no origin, or one of the allowed origins.
 */
export class Gateway {
  readonly #refusals = new ViewerRefusals();
  readonly #joinRate: JoinRate;
  readonly #caps: ConnectionCaps;
  readonly #automation: AutomationGate;

  constructor(private readonly parts: GatewayParts) {
    this.#joinRate = new JoinRate(parts.clock);
    this.#caps = new ConnectionCaps(parts.limits);
    this.#automation = new AutomationGate(parts);
  }

  /** Handles all connections and upgrades of this server. */
  serve(server: Server): void {
    this.#caps.serve(server);
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // After an upgrade, the socket has no other error listener. Without this listener, a reset by the peer
      // would end the process.
      socket.on('error', () => socket.destroy());
      this.#upgrade(request, socket, head).catch((error: unknown) => {
        this.parts.log.error('a WebSocket upgrade failed', { error });
        socket.destroy();
      });
    });
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { proxies, attempts, embedAccess, otherNodes } = this.parts;
    const target = targetOf(request);
    if (!(socket instanceof Socket)) {
      socket.destroy();
      return;
    }
    if (target instanceof ServiceError) {
      closeAtOnce(socket, target.rawAnswer);
      return;
    }

    if (!otherNodes.admit(request)) {
      closeAtOnce(socket, new ServiceError('err_unauthenticated').rawAnswer);
      return;
    }
    const ip = clientAddress(request, proxies);
    const refuse = (reason: ServerDisconnectReason, message: string) => {
      this.parts.refusals.refused(ip, { session: target.sessionId, reason });
      this.#refusals.refuse(request, socket, head, reason, message);
    };
    const verdict = this.#joinRate.verdict(target.sessionId, ip, target.automates ? 'program' : 'viewer');
    if (verdict === 'drop') socket.destroy();
    if (target.automates) {
      if (verdict !== 'drop') await this.#automate(target, request, socket, head, ip, verdict === 'join');
      return;
    }
    if (verdict === 'refuse') refuse('flooding', TOO_OFTEN);
    if (verdict !== 'join') return;
    if (!this.parts.origins.allows(request.headers.origin)) {
      refuse('unauthorized', FOREIGN_PAGE);
      return;
    }

    if (await this.#forwarded(target.sessionId, request, socket, head, ip)) return;
    const access = await embedAccess.decide(target.sessionId, target.token);
    if (!access.admitted) {
      if (access.reason === 'unauthorized' && !attempts.wrong(ip)) socket.destroy();
      else refuse(access.reason, access.message);
    } else if (!offeredProtocols(request).includes(SUBPROTOCOL)) {
      refuse('unsupported', 'This page does not have the same version as the service. Reload it.');
    } else {
      socket.setTimeout(0);
      this.#caps.forget(socket);
      await access.session.attach(handoverOf(request, head, randomUUID(), ip), socket, access.grant);
    }
  }

  /** Forwards an upgrade to the node of the session. Returns false if this node handles it. */
  async #forwarded(
    sessionId: string,
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    ip: string,
  ): Promise<boolean> {
    const { otherNodes } = this.parts;
    const owner = otherNodes.sentByNode(request) ? null : await otherNodes.ownerOf(sessionId);
    if (owner) otherNodes.forwardUpgrade(owner, request, socket, head, ip);
    return owner !== null;
  }

  /** Admits or refuses a program that drives a session. `inTime`: false if its address connects too often. */
  async #automate(
    { sessionId, token }: Target,
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    ip: string,
    inTime: boolean,
  ): Promise<void> {
    const refusal = inTime
      ? this.#automation.refusalOf(request)
      : new ServiceError('err_too_many_requests', JOIN_AGAIN_SECONDS, 'connections');
    if (refusal) {
      this.#automation.refuse(socket, sessionId, ip, refusal);
      return;
    }
    if (await this.#forwarded(sessionId, request, socket, head, ip)) return;
    const granted = await this.#automation.admit(request, socket, sessionId, ip, token);
    if (!granted) return;
    socket.setTimeout(0);
    this.#caps.forget(socket);
    await this.#automation.pass(granted, request, socket, head, ip);
  }
}

/**
 * Returns the target of an upgrade request. Returns an error if the request comes neither from a viewer nor
 * from a program. A viewer with an address that no session can have gets a session that does not exist. So it
 * is refused with a reason, and does not try again.
 */
function targetOf(request: IncomingMessage): Target | ServiceError {
  const { method, url = '', headers } = request;
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') {
    return new ServiceError('err_bad_request', 'The only supported upgrade is WebSocket.');
  }
  const [path = '', query = ''] = url.split('?', 2);
  const [, address, automation] = ADDRESS.exec(path) ?? [];
  if (address === undefined && !offeredProtocols(request).includes(SUBPROTOCOL))
    return new ServiceError('err_not_found', 'WebSocket at this address');
  return {
    sessionId: address === undefined ? NO_SESSION : decodeSessionId(address),
    token: new URLSearchParams(query).get('token') ?? undefined,
    automates: automation !== undefined,
  };
}

function offeredProtocols(request: IncomingMessage): string[] {
  return (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
}
