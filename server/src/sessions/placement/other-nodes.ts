import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../../service-error.js';
import type { NodeReport } from './nodes.js';
import type { NodeAddress } from './placement.js';
import type { CompleteRequest } from '../creation/complete-request.js';
import type { CreateContext } from '../creation/create.js';
import type { SessionStatus } from '../records/session-record.js';

/** Paths of the requests between nodes. */
export const PEER_PATHS = {
  begin: '/v0/node/begin',
  existing: '/v0/node/existing',
  end: '/v0/node/end',
  statuses: '/v0/node/statuses',
  voice: '/v0/node/voice',
  report: '/v0/node/report',
} as const;

/** A session that is to begin on a chosen node. */
export interface BeginRequest {
  id: string;
  /** Complete request. The node that begins the session does not change it. */
  request: CompleteRequest;
  by?: CreateContext['by'];
}

/** The request did not reach the other node, so it had no effect. */
export class NotReachedError extends ServiceError {
  constructor() {
    super('err_node_unreachable', NODE_AGAIN_SECONDS);
  }
}

/** Seconds after which a caller may repeat a request that another node did not answer. */
export const NODE_AGAIN_SECONDS = 2;

/** Finds the other nodes of a cluster, and sends them sessions, requests and viewers. */
export interface OtherNodes {
  /**
   * Returns the node that handles requests for a session. Null means this node, because no other node has the
   * session, or because the session's node is lost.
   */
  ownerOf(sessionId: string): Promise<NodeAddress | null>;
  /**
   * Begins a session on another node. Rejects with the other node's `ServiceError`, or with a `ServiceError`
   * if that node does not answer. Rejects with {@link NotReachedError} if the request did not reach the node.
   */
  begin(node: NodeAddress, order: BeginRequest): Promise<SessionStatus>;
  /**
   * Waits until a session of another node has begun, and returns the session. Returns undefined if the
   * session has ended. Rejects with a `ServiceError`.
   */
  existing(node: NodeAddress, sessionId: string): Promise<SessionStatus | undefined>;
  /**
   * Ends a session of another node. Resolves when the node has begun to end it. Rejects if the node does not
   * answer.
   */
  end(node: NodeAddress, sessionId: string): Promise<void>;
  /**
   * Returns the states of sessions on other nodes. Leaves out the sessions of nodes that do not answer in
   * time.
   */
  statuses(sessionIds: readonly string[]): Promise<SessionStatus[]>;
  /**
   * Returns the nodes' reports about the last `seconds`, for operators, in the order of `nodes`. Null for a
   * node that does not answer in time. Never rejects.
   */
  nodeReports(nodes: readonly NodeAddress[], seconds: number): Promise<(NodeReport | null)[]>;
  /**
   * True if a request may be served. False if the request has the header that nodes send to each other, but
   * the seal (authentication code) in the header is invalid.
   */
  admit(request: IncomingMessage): boolean;
  /** True if another node sent this request and {@link admit} accepted it. */
  sentByNode(request: IncomingMessage): boolean;
  /** Forwards a request to another node, and the node's answer to the client. */
  forward(node: NodeAddress, request: IncomingMessage, response: ServerResponse, clientAddress: string): void;
  /** Forwards a viewer's connection to another node. `head`: bytes after the request. */
  forwardUpgrade(
    node: NodeAddress,
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    clientAddress: string,
  ): void;
}

/** Value for a service without other nodes. */
export const NO_OTHER_NODES: OtherNodes = {
  ownerOf: () => Promise.resolve(null),
  begin: () => Promise.reject(new Error('There is no other node.')),
  existing: () => Promise.resolve(undefined),
  end: () => Promise.resolve(),
  statuses: () => Promise.resolve([]),
  nodeReports: () => Promise.resolve([]),
  admit: () => true,
  sentByNode: () => false,
  forward: (_node, _request, response) => void response.destroy(),
  forwardUpgrade: (_node, _request, socket) => void socket.destroy(),
};
