import { createHmac, randomBytes } from 'node:crypto';
import { sameSecret } from '../../platform/secrets.js';

/** The header of a request that one node sends to another. */
export const PEER_HEADER = 'cloud-browser-node';
/** How far the time of a request may be from the receiver's; both count as the database does, so this is for the way and for what drifts. */
export const SEAL_WINDOW_MS = 30_000;
/** A seal is base64url of HMAC-SHA256. */
const HEADER = /^([\da-f]{6}) ([\da-f]{6}) (\d{1,15}) ([\w-]{22}) (\S{1,64}) ([\w-]{43})$/;

/** What is sealed of a request. */
export interface SealedRequest {
  method: string;
  /** Path and query. */
  url: string;
  /** The nodes that send and receive it, by their codes. */
  from: string;
  to: string;
  /** Of whom the request is, as the sender sees it. */
  clientAddress: string;
}

/** What the seal of a request said. */
export type Opened = Pick<SealedRequest, 'from' | 'clientAddress'>;

/**
 * Seals requests between the nodes of a cluster, so that nobody else can send one, change whose it is, or send it again. It does not
 * hide what is in them, nor seal bodies: the network between nodes is the operator's own, or TLS.
 */
export class PeerSeal {
  /** Of requests in the window, with the times at which they leave it. */
  readonly #seen = new Map<string, number>();

  /**
   * @param secret that all nodes share
   * @param own code of this node
   * @param now milliseconds as all nodes count them, as far as they can
   */
  constructor(
    private readonly secret: Uint8Array,
    private readonly own: () => string,
    private readonly now: () => number,
  ) {}

  /** The header of a request that this node sends. */
  seal(request: Omit<SealedRequest, 'from'>): string {
    const sealed = { ...request, from: this.own() };
    const time = String(Math.round(this.now()));
    const nonce = randomBytes(16).toString('base64url');
    const { from, to, clientAddress } = sealed;
    return [from, to, time, nonce, clientAddress, this.#mac(sealed, time, nonce)].join(' ');
  }

  /** What the header of a request says; undefined when it is not for this node, not from one of the cluster, too old, or was there before. */
  open(header: string, method: string, url: string): Opened | undefined {
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
    // In the order of their arrival, so the first that stays ends the search.
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
