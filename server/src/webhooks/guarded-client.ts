import { lookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { CodedError } from '../platform/coded-error.js';
import { pinned } from '../platform/network/addresses/pinned-lookup.js';
import { ownAddresses } from '../platform/network/addresses/own-addresses.js';
import { plainAddress } from '../platform/network/addresses/public-address.js';
import type { EgressRules } from '../platform/network/egress-rules.js';
import { limitInterimAnswers } from '../platform/network/connections/interim-answers.js';
import type { WebhookAnswer, WebhookClient, WebhookRequest } from '../sessions/ports.js';

/** Error of a failed request to a customer's endpoint. The message is a sentence for the log. */
export class WebhookError extends CodedError {
  readonly code = 'err_webhook';
}

/** Timeout in milliseconds for the whole request: name lookup, connection, TLS and answer. */
export const WEBHOOK_TIMEOUT_MS = 5_000;
/** Maximum size of the body of an answer in bytes. */
export const MAX_ANSWER_BYTES = 65_536;

/** Names that mean this machine: RFC 6761, section 6.3. */
const LOOPBACK_NAME = /(^|\.)localhost\.?$/i;

/** Returns all addresses of a name. */
export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>;

/** Options of a {@link GuardedClient}. */
export interface GuardedClientOptions {
  resolve?: Resolve;
  /** Returns the addresses of this machine's network interfaces. */
  own?: () => ReadonlySet<string>;
  /** Timeout in milliseconds. Default: {@link WEBHOOK_TIMEOUT_MS}. */
  timeLimit?: number;
}

/**
 * Posts JSON to addresses that customers chose. A name is resolved once, all its addresses are checked, and
 * the connection uses a checked address. So a second lookup cannot lead to another address. The client does
 * not follow redirects. It returns a redirect as the answer.
 */
export class GuardedClient implements WebhookClient {
  readonly #resolve: Resolve;
  readonly #own: () => ReadonlySet<string>;
  readonly #timeLimit: number;

  constructor(
    private readonly rules: EgressRules,
    {
      resolve = (host) => lookup(host, { all: true }),
      own = ownAddresses(),
      timeLimit = WEBHOOK_TIMEOUT_MS,
    }: GuardedClientOptions = {},
  ) {
    this.#resolve = resolve;
    this.#own = own;
    this.#timeLimit = timeLimit;
  }

  async post(request: WebhookRequest): Promise<WebhookAnswer> {
    const signal = AbortSignal.timeout(this.#timeLimit);
    const late = new Promise<never>((_resolve, reject) => {
      const error = new WebhookError(`There was no answer within ${this.#timeLimit / 1000} seconds.`);
      signal.addEventListener('abort', () => reject(error), { once: true });
    });
    try {
      return await Promise.race([this.#post(request, signal), late]);
    } catch (error) {
      if (error instanceof WebhookError) throw error;
      throw new WebhookError(`The endpoint cannot be reached: ${(error as Error).message}.`);
    }
  }

  refuses(url: string): boolean {
    const target = new URL(url);
    const host = plainAddress(target.hostname);
    const address = LOOPBACK_NAME.test(host) ? '127.0.0.1' : host;
    return isIP(address) !== 0 && !this.#isOpen(host, address, portOf(target));
  }

  async #post({ url, bearer, headers, body }: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer> {
    const target = new URL(url);
    const address = await this.#addressFor(target);
    const payload = Buffer.from(JSON.stringify(body));
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const outgoing = send(target, {
        method: 'POST',
        agent: false,
        lookup: pinned([address]),
        signal,
        headers: {
          ...headers,
          ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
          accept: 'application/json',
          'content-length': payload.length,
          'content-type': 'application/json',
          'user-agent': 'cloud-browser',
        },
      });
      limitInterimAnswers(outgoing);
      outgoing.on('error', reject);
      outgoing.on('response', (response) => {
        readText(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject);
      });
      outgoing.end(payload);
    });
  }

  async #addressFor(target: URL): Promise<{ address: string; family: number }> {
    const host = plainAddress(target.hostname);
    const port = portOf(target);
    const literal = isIP(host);
    const addresses = literal === 0 ? await this.#resolve(host) : [{ address: host, family: literal }];
    const [first] = addresses;
    if (!first) throw new WebhookError('The name of the endpoint has no address.');
    if (!addresses.every(({ address }) => this.#isOpen(host, address, port))) {
      throw new WebhookError(
        `${target.host} is not public or belongs to this machine. Add the host to EGRESS_ALLOW to allow webhooks to it.`,
      );
    }
    return first;
  }

  /**
   * True if the rules allow the address. A public address of this machine needs an explicit exception in the
   * rules, because a connection from the machine itself bypasses the firewall.
   */
  #isOpen(host: string, address: string, port: number): boolean {
    if (this.#own().has(plainAddress(address))) return this.rules.opens(host, address, port);
    return this.rules.allows(host, address, port);
  }
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) {
      response.destroy();
      throw new WebhookError(`The answer is larger than ${MAX_ANSWER_BYTES / 1024} kB.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
