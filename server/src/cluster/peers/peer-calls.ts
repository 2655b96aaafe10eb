import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { ERROR_CODES, ServiceError, type ErrorCode } from '../../service-error.js';
import type { NodeAddress } from '../../sessions/placement/placement.js';
import { NotReachedError } from '../../sessions/placement/other-nodes.js';
import { afterArrivals } from '../../platform/time/turns.js';
import { limitConnecting, TIMEOUTS, unreachable } from './forward.js';
import { PEER_HEADER, type PeerSeal } from './peer-seal.js';

/**
 * Maximum size of another node's answer in bytes. Answers are small: at most one page of a list of sessions.
 */
const MAX_ANSWER_BYTES = 4 * 2 ** 20;
/** Client address in requests that a node sends on its own behalf, without a client. */
const NOBODY = '-';

/** Sends requests to other nodes and waits for their answers. */
export class PeerCalls {
  constructor(
    private readonly seal: PeerSeal,
    private readonly connectTimeout = TIMEOUTS.connect,
  ) {}

  /**
   * Posts JSON and resolves with the JSON of the answer. Rejects with a `ServiceError`: the other node's own
   * error, or `err_node_unreachable` if there is no answer. Without a connection the error is a
   * `NotReachedError`.
   *
   * @param limit milliseconds for the whole call
   * @param signal ends the wait when it is aborted
   */
  async ask(
    node: NodeAddress,
    path: string,
    body: unknown,
    limit: number,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { status, text, retryAfter } = await this.#post(node, path, JSON.stringify(body), limit, signal);
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch {
      throw unreachable();
    }
    if (status === 200) return answer;
    throw isRefusal(answer) ? ServiceError.toldBy(answer, retryAfter) : unreachable();
  }

  #post(
    node: NodeAddress,
    path: string,
    body: string,
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    const target = new URL(path, node.url);
    const sealed = this.seal.seal({ method: 'POST', url: path, to: node.code, clientAddress: NOBODY });
    const secure = target.protocol === 'https:';
    return new Promise((resolve, reject) => {
      let connected = false;
      let isOver = false;
      const fail = (): void => {
        isOver = true;
        clearTimeout(timer);
        outgoing.destroy();
        reject(connected ? unreachable() : new NotReachedError());
      };
      const outgoing = (secure ? httpsRequest : httpRequest)(
        target,
        {
          method: 'POST',
          // Opens a new connection for each call. So a failure to connect shows at once that the node is not
          // reachable.
          agent: false,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            [PEER_HEADER]: sealed,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          let length = 0;
          response.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            length += chunk.length;
            if (length > MAX_ANSWER_BYTES) fail();
          });
          response.on('error', fail);
          response.on('close', () => (response.complete ? undefined : fail()));
          response.on('end', () => {
            isOver = true;
            clearTimeout(timer);
            const wait = Number(response.headers['retry-after']);
            resolve({
              status: response.statusCode ?? 0,
              text: Buffer.concat(chunks).toString('utf8'),
              retryAfter: Number.isFinite(wait) ? wait : undefined,
            });
          });
        },
      );
      const failIfOpen = (): void => {
        if (!isOver) fail();
      };
      const timer = setTimeout(() => afterArrivals(failIfOpen), limit);
      outgoing.on('socket', (socket) => {
        limitConnecting(socket, this.connectTimeout, fail);
        socket.once(secure ? 'secureConnect' : 'connect', () => (connected = true));
      });
      outgoing.on('error', fail);
      signal?.addEventListener('abort', fail, { once: true });
      outgoing.end(body);
    });
  }
}

interface Answer {
  status: number;
  text: string;
  retryAfter: number | undefined;
}

function isRefusal(value: unknown): value is { code: ErrorCode; message: string } {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('message' in value))
    return false;
  return typeof value.message === 'string' && ERROR_CODES.some((code) => code === value.code);
}
