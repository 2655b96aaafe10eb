import { createHmac, randomBytes } from 'node:crypto';
import { sameSecret } from '../../platform/secrets.js';

/** Header of a request that one node sends to another. */
export const PEER_HEADER = 'cloud-browser-node';
/**
 * Largest allowed difference between the time in a seal and the receiver's time. Sender and receiver use the
 * database's time, so the difference comes only from the transmission and from clock drift.
 */
export const SEAL_WINDOW_MS = 30_000;
/** Format of the header: sender, receiver, time, nonce, client's address, and HMAC-SHA256 in base64url. */
const HEADER = /^([\da-f]{6}) ([\da-f]{6}) (\d{1,15}) ([\w-]{22}) (\S{1,64}) ([\w-]{43})$/;

/** Sealed fields of a request. */
export interface SealedRequest {
  method: string;
  /** Path and query. */
  url: string;
  /** Codes of the nodes that send and receive the request. */
  from: string;
  to: string;
  /** Address of the client that made the request, as the sender sees it. */
  clientAddress: string;
}

/** Content of a valid seal. */
export type VerifiedRequest = Pick<SealedRequest, 'from' | 'clientAddress'>;

/**
 * Seals requests between the nodes of a cluster: adds a header with an authentication code (MAC). Without the
 * secret, an attacker cannot send a request, change its client address, or send it again. The seal does not
 * encrypt requests and does not cover bodies, because the network between nodes belongs to the operator or
 * uses TLS.
 */
export class PeerSeal {
  /**
   * Nonces of recent requests, with the time until which each nonce is kept. At that time, the seal with this
   * nonce has certainly expired.
   */
  readonly #seen = new Map<string, number>();

  /**
   * @param secret the secret that all nodes share
   * @param own the code of this node
   * @param now milliseconds on the cluster's common time, as exact as possible
   */
  constructor(
    private readonly secret: Uint8Array,
    private readonly own: () => string,
    private readonly now: () => number,
  ) {}

  /** Returns the header of a request that this node sends. */
  seal(request: Omit<SealedRequest, 'from'>): string {
    const sealed = { ...request, from: this.own() };
    const time = String(Math.round(this.now()));
    const nonce = randomBytes(16).toString('base64url');
    const { from, to, clientAddress } = sealed;
    return [from, to, time, nonce, clientAddress, this.#mac(sealed, time, nonce)].join(' ');
  }

  /**
   * Returns the content of a request's header. Undefined if the header is not for this node, not from this
   * cluster, too old, or already used.
   */
  open(header: string, method: string, url: string): VerifiedRequest | undefined {
    const match = HEADER.exec(header);
    if (!match) return undefined;
    const [, from = '', to = '', time = '', nonce = '', clientAddress = '', mac = ''] = match;
    const expected = this.#mac({ method, url, from, to, clientAddress }, time, nonce);
    if (!sameSecret(mac, expected) || to !== this.own()) return undefined;
    const now = this.now();
    if (Math.abs(now - Number(time)) > SEAL_WINDOW_MS || this.#seen.has(nonce)) return undefined;
    this.#note(nonce, now);
    return { from, clientAddress };
  }

  #note(nonce: string, now: number): void {
    this.#seen.set(nonce, now + 2 * SEAL_WINDOW_MS);
    // Entries are in the order of their arrival, so the loop ends at the first valid entry.
    for (const [old, until] of this.#seen) {
      if (until > now) break;
      this.#seen.delete(old);
    }
  }

  #mac({ method, url, from, to, clientAddress }: SealedRequest, time: string, nonce: string): string {
    return createHmac('sha256', this.secret)
      .update([method, url, from, to, time, nonce, clientAddress].join('\n'))
      .digest('base64url');
  }
}
