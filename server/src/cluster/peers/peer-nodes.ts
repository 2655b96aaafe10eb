import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock, Timer } from '../../platform/time/clock.js';
import { tellClientAddress } from '../../platform/network/client-address.js';
import { PEER_PATHS, type BeginRequest, type OtherNodes } from '../../sessions/placement/other-nodes.js';
import type { NodeAddress } from '../../sessions/placement/placement.js';
import type { NodeReport } from '../../sessions/placement/nodes.js';
import { nodeCodeOf } from '../../sessions/session-id.js';
import type { SessionStatus } from '../../sessions/records/session-record.js';
import { Forward, type ForwardTimeouts } from './forward.js';
import type { NodeDirectory } from './node-directory.js';
import { PeerCalls } from './peer-calls.js';
import { PEER_HEADER, type PeerSeal } from './peer-seal.js';
import { watchForSilence } from './silent-node.js';

/**
 * Timeout for the start of a session on another node. A start can take longer than 30 s, for example if the
 * node loads a large profile. After the timeout, the session starts without a client. A longer timeout has no
 * effect, because both nodes close connections that are idle for a minute. A node that has stopped is noticed
 * earlier, because its lease is late.
 */
const BEGIN_TIMEOUT_MS = 60_000;
/** Timeout for another node's answer about a session that is beginning or ending there. */
const EXISTING_TIMEOUT_MS = 30_000;
/**
 * Interval of checks during a long call. Each check tests if the lease of the called node is late. The
 * connection alone does not show this, because it stays open while the node's process is stopped.
 */
const LOOK_MS = 1_000;
/**
 * Number of consecutive checks that must find the node late before the call fails. Directly after an outage
 * of the database, all nodes are late for a moment, and calls must not fail then.
 */
const LATE_LOOKS = 3;
/** Timeout for another node's answer that it ends a session. */
const END_TIMEOUT_MS = 5_000;
/** Timeout for session states from a peer. On timeout the stored record is used. */
const STATUSES_TIMEOUT_MS = 1_000;
/** Timeout for a peer's report about its contact with the database. */
const CONTACT_TIMEOUT_MS = 2_000;
/** Timeout for the measurements of another node. On timeout the node is shown without measurements. */
const REPORT_TIMEOUT_MS = 1_000;

/** Dependencies of {@link PeerNodes}. */
export interface PeerNodesParts {
  nodes: NodeDirectory;
  seal: PeerSeal;
  clock: Clock;
  /** Other timeouts, for tests. */
  timeouts?: ForwardTimeouts;
}

/** The other nodes of the cluster, reached over HTTP. */
export class PeerNodes implements OtherNodes {
  /** Number of requests and viewers that this node has forwarded since its start. */
  readonly forwarded = { requests: 0, viewers: 0 };
  readonly #calls: PeerCalls;
  readonly #forward: Forward;
  readonly #sentByNode = new WeakSet<IncomingMessage>();

  constructor(private readonly parts: PeerNodesParts) {
    this.#calls = new PeerCalls(parts.seal, parts.timeouts?.connect);
    this.#forward = new Forward(parts.timeouts);
  }

  async ownerOf(sessionId: string): Promise<NodeAddress | null> {
    const { nodes } = this.parts;
    const code = nodeCodeOf(sessionId);
    const known = code === nodes.code ? undefined : await nodes.find(code);
    return known?.state === 'alive' || known?.state === 'late' ? known.address : null;
  }

  async begin(node: NodeAddress, order: BeginRequest): Promise<SessionStatus> {
    return (await this.#askWhileAlive(node, PEER_PATHS.begin, order, BEGIN_TIMEOUT_MS)) as SessionStatus;
  }

  async existing(node: NodeAddress, sessionId: string): Promise<SessionStatus | undefined> {
    const body = { id: sessionId };
    const answer = await this.#askWhileAlive(node, PEER_PATHS.existing, body, EXISTING_TIMEOUT_MS);
    return (answer as { session: SessionStatus | null }).session ?? undefined;
  }

  async end(node: NodeAddress, sessionId: string): Promise<void> {
    await this.#calls.ask(node, PEER_PATHS.end, { id: sessionId }, END_TIMEOUT_MS);
  }

  async statuses(sessionIds: readonly string[]): Promise<SessionStatus[]> {
    const { nodes } = this.parts;
    const codes = new Set(sessionIds.map(nodeCodeOf));
    codes.delete(nodes.code);
    const asked = [...codes].map(async (code) => {
      const known = await nodes.find(code);
      if (known?.state !== 'alive') return [];
      const ofNode = sessionIds.filter((id) => nodeCodeOf(id) === code);
      const body = { ids: ofNode };
      const answer = await this.#calls
        .ask(known.address, PEER_PATHS.statuses, body, STATUSES_TIMEOUT_MS)
        .catch(() => ({ statuses: [] }));
      return (answer as { statuses: SessionStatus[] }).statuses;
    });
    return (await Promise.all(asked)).flat();
  }

  nodeReports(nodes: readonly NodeAddress[], seconds: number): Promise<(NodeReport | null)[]> {
    const asked = nodes.map(async (node) => {
      const answer = this.#calls.ask(node, PEER_PATHS.report, { seconds }, REPORT_TIMEOUT_MS);
      return (await answer.catch(() => null)) as NodeReport | null;
    });
    return Promise.all(asked);
  }

  /**
   * Returns the milliseconds for which another node has been in contact with the database without a failure.
   * Rejects if the node does not answer.
   */
  async connectedFor(node: NodeAddress): Promise<number> {
    const answer = await this.#calls.ask(node, PEER_PATHS.voice, {}, CONTACT_TIMEOUT_MS);
    return (answer as { connectedFor: number }).connectedFor;
  }

  admit(request: IncomingMessage): boolean {
    const header = request.headers[PEER_HEADER];
    if (header === undefined) return true;
    const { method = '', url = '' } = request;
    const opened = this.parts.seal.open([header].flat().join(), method, url);
    if (!opened) return false;
    this.#sentByNode.add(request);
    tellClientAddress(request, opened.clientAddress);
    return true;
  }

  sentByNode(request: IncomingMessage): boolean {
    return this.#sentByNode.has(request);
  }

  forward(
    node: NodeAddress,
    request: IncomingMessage,
    response: ServerResponse,
    clientAddress: string,
  ): void {
    this.forwarded.requests++;
    // A destroyed response emits no `close` any more, which would end the watch.
    if (response.destroyed) return;
    const { clock, nodes } = this.parts;
    const silence = new AbortController();
    const watched = {
      isLate: async () => (await nodes.find(node.code))?.state !== 'alive',
      answers: () => this.connectedFor(node),
    };
    const stop = watchForSilence(clock, watched, () => silence.abort());
    response.once('close', stop);
    const seal = this.#sealOf(node, request, clientAddress);
    this.#forward.answer(node.url, seal, request, response, silence.signal);
  }

  forwardUpgrade(
    node: NodeAddress,
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    clientAddress: string,
  ): void {
    this.forwarded.viewers++;
    this.#forward.upgrade(node.url, this.#sealOf(node, request, clientAddress), request, socket, head);
  }

  /** Ends all connections that this node forwards to other nodes. */
  close(): void {
    this.#forward.close();
  }

  /** Sends a request that may take long. Rejects early if the node's lease is late for some seconds. */
  async #askWhileAlive(node: NodeAddress, path: string, body: unknown, limit: number): Promise<unknown> {
    const { clock, nodes } = this.parts;
    const waiting = new AbortController();
    let timer: Timer | undefined;
    let late = 0;
    const look = (): void => {
      timer = clock.setTimeout(() => {
        void nodes.find(node.code).then((known) => {
          late = known?.state === 'alive' ? 0 : late + 1;
          if (late === LATE_LOOKS) waiting.abort();
          else if (!waiting.signal.aborted) look();
        });
      }, LOOK_MS);
    };
    look();
    try {
      return await this.#calls.ask(node, path, body, limit, waiting.signal);
    } finally {
      waiting.abort();
      timer?.cancel();
    }
  }

  #sealOf({ code }: NodeAddress, { method = '', url = '' }: IncomingMessage, clientAddress: string): string {
    return this.parts.seal.seal({ method, url, to: code, clientAddress });
  }
}
