import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../service-error.js';
import type { NodeReport } from './nodes.js';
import type { NodeAddress } from './placement.js';
import type { CreateContext, CreatedSession } from './create.js';
import type { SessionStatus } from './session-record.js';
import type { CreateRequest } from './settings/create-request.js';

/** Where nodes ask each other. */
export const PEER_PATHS = {
  begin: '/v0/node/begin',
  existing: '/v0/node/existing',
  statuses: '/v0/node/statuses',
  voice: '/v0/node/voice',
  report: '/v0/node/report',
} as const;

/** A session for which another node has been chosen. */
export interface BeginOrder {
  id: string;
  request: CreateRequest;
  context: CreateContext;
}

/** Nothing has arrived at the other node: whatever was asked of it was not done. */
export class NotReachedError extends ServiceError {
  constructor() {
    super('err_node_unreachable', NODE_AGAIN_SECONDS);
  }
}

/** When somebody may ask again for what a node was to answer that does not. */
export const NODE_AGAIN_SECONDS = 2;

/** The other nodes of a cluster, as sessions, requests and viewers need them. */
export interface OtherNodes {
  /** The node that a session is to be asked for; null: this one, where no other has it or its node is gone for good. */
  ownerOf(sessionId: string): Promise<NodeAddress | null>;
  /**
   * Begins a session on another node. Rejects with a `ServiceError`, the other node's own or one that says that it does not answer;
   * with {@link NotReachedError} when it has not heard of it.
   */
  begin(node: NodeAddress, order: BeginOrder): Promise<CreatedSession>;
  /** The session, once it has begun; undefined when it is over. Rejects with a `ServiceError`. */
  existing(node: NodeAddress, sessionId: string): Promise<CreatedSession | undefined>;
  /** How sessions of other nodes are, as far as these say it in time. */
  statuses(sessionIds: readonly string[]): Promise<SessionStatus[]>;
  /** What nodes tell operators of their last seconds, in the same order; null of one that does not answer in time. Never rejects. */
  nodeReports(nodes: readonly NodeAddress[], seconds: number): Promise<(NodeReport | null)[]>;
  /** Whether a request may be served: false for one that claims to come from another node and does not. */
  admit(request: IncomingMessage): boolean;
  /** Whether another node has sent a request that was admitted. */
  sentByNode(request: IncomingMessage): boolean;
  /** Has another node answer a request. */
  forward(node: NodeAddress, request: IncomingMessage, response: ServerResponse, clientAddress: string): void;
  /** Has another node take a viewer's connection. `head`: bytes behind the request. */
  forwardUpgrade(
    node: NodeAddress,
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    clientAddress: string,
  ): void;
}

/** There are none. */
export const NO_OTHER_NODES: OtherNodes = {
  ownerOf: () => Promise.resolve(null),
  begin: () => Promise.reject(new Error('There is no other node.')),
  existing: () => Promise.resolve(undefined),
  statuses: () => Promise.resolve([]),
  nodeReports: () => Promise.resolve([]),
  admit: () => true,
  sentByNode: () => false,
  forward: (_node, _request, response) => void response.destroy(),
  forwardUpgrade: (_node, _request, socket) => void socket.destroy(),
};
