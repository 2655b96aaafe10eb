import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { ERROR_CODES, ServiceError, type ErrorCode } from '../../service-error.js';
import type { NodeAddress } from '../../sessions/placement.js';
import { NotReachedError } from '../../sessions/other-nodes.js';
import { limitConnecting, TIMEOUTS, unreachable } from './forward.js';
import { PEER_HEADER, type PeerSeal } from './peer-seal.js';

/** Answers of other nodes are small: lists of at most a page of sessions. */
const MAX_ANSWER_BYTES = 4 * 2 ** 20;
/** Who asks another node itself is nobody's client. */
const NOBODY = '-';

/** Asks other nodes and waits for their answers. */
export class PeerCalls {
  constructor(
    private readonly seal: PeerSeal,
    private readonly connectTimeout = TIMEOUTS.connect,
  ) {}

  /**
   * Posts JSON and resolves to the JSON that comes back. Rejects with a `ServiceError`: the other node's own, or `err_node_unreachable`
   * when there is no answer, which is a `NotReachedError` when there was no connection.
   *
   * @param limit milliseconds for all of it
   * @param signal with its abort nobody waits any more
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
      const fail = (): void => {
        clearTimeout(timer);
        outgoing.destroy();
        reject(connected ? unreachable() : new NotReachedError());
      };
      const outgoing = (secure ? httpsRequest : httpRequest)(
        target,
        {
          method: 'POST',
          // A connection of its own, which tells at once whether the node is there.
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
      const timer = setTimeout(fail, limit);
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
