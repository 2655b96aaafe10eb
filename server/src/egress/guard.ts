import { isIP } from 'node:net';
import { CodedError } from '../platform/coded-error.js';
import type { EgressRules } from '../platform/egress-rules.js';
import { ownAddresses } from '../platform/own-addresses.js';
import { plainAddress, specialKindOf, type SpecialKind } from '../platform/public-address.js';
import type { Address, NameResolver } from './name-resolver.js';

/** What refuses a connection: a kind of address, one of this machine's own, the service itself, or how many the session has. */
export type RefusalRule = SpecialKind | 'own_address' | 'service' | 'connections';

/** A hosted page asked for an address that is not open to it, or for too many connections. The message is a sentence for the person at the viewer. */
export class EgressRefusal extends CodedError {
  readonly code = 'err_egress_refused';

  constructor(readonly rule: RefusalRule) {
    super(
      rule === 'connections'
        ? 'This session has too many connections. Close some of its pages, and try again.'
        : 'This address is not open to hosted browsers. The operator can open it with EGRESS_ALLOW.',
    );
  }
}

/** What a {@link EgressGuard} decides by. */
export interface GuardParts {
  rules: EgressRules;
  resolver: NameResolver;
  /** The port that the service listens on; undefined before it does. */
  servicePort: () => number | undefined;
  /** Addresses of this machine's network interfaces. */
  ownAddresses?: () => ReadonlySet<string>;
}

/** Connected to, each of them means this machine. */
const UNSPECIFIED = ['0.0.0.0', '::'];

/** Decides on every connection that hosted browsers ask for: names are resolved once, and all their addresses are judged. */
export class EgressGuard {
  readonly #parts: GuardParts;
  readonly #ownAddresses: () => ReadonlySet<string>;

  constructor(parts: GuardParts) {
    this.#parts = parts;
    this.#ownAddresses = parts.ownAddresses ?? ownAddresses();
  }

  /**
   * The addresses of a host, all of which may be dialled. Rejects with {@link EgressRefusal}, or with `ResolveError`.
   *
   * @param host a name, or an address in any spelling
   */
  async addresses(host: string, port: number): Promise<Address[]> {
    const plain = plainAddress(host);
    const family = isIP(plain);
    const addresses = family === 0 ? await this.#resolve(host) : [{ address: plain, family }];
    for (const { address } of addresses) {
      const rule = this.#refusal(host, address, port);
      if (rule !== undefined) throw new EgressRefusal(rule);
    }
    return addresses;
  }

  /** Names of loopback need no name server, which might know another address for them: RFC 6761, section 6.3. */
  async #resolve(host: string): Promise<Address[]> {
    if (/(^|\.)localhost\.?$/i.test(host)) return [{ address: '127.0.0.1', family: 4 }];
    return this.#parts.resolver.resolve(host);
  }

  #refusal(host: string, address: string, port: number): RefusalRule | undefined {
    const { rules, servicePort } = this.#parts;
    const plain = plainAddress(address);
    const kind = specialKindOf(plain);
    const own = kind === 'loopback' || UNSPECIFIED.includes(plain) || this.#ownAddresses().has(plain);
    // An exception for the whole machine is hardly meant for the service, whose pages hold keys.
    if (own && port === servicePort()) return rules.opensPort(host, plain, port) ? undefined : 'service';
    if (kind === undefined && !own) return undefined;
    return rules.opens(host, plain, port) ? undefined : (kind ?? 'own_address');
  }
}
