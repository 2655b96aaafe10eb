import { isIP } from 'node:net';
import { CodedError } from '../platform/coded-error.js';
import type { EgressRules } from '../platform/network/egress-rules.js';
import { ownAddresses } from '../platform/network/addresses/own-addresses.js';
import {
  plainAddress,
  specialKindOf,
  type SpecialKind,
} from '../platform/network/addresses/public-address.js';
import type { Address, NameResolver } from './name-resolver.js';

/**
 * Reason why a connection is refused.
 * - A `SpecialKind`: the address does not belong to a public host.
 * - `own_address`: the address belongs to this machine.
 * - `service`: the address and port belong to the service itself.
 * - `connections`: the session has too many connections.
 */
export type RefusalRule = SpecialKind | 'own_address' | 'service' | 'connections';

/**
 * A hosted page requested a forbidden address, or too many connections. The message is a sentence for the
 * viewer.
 */
export class EgressRefusal extends CodedError {
  readonly code = 'err_egress_refused';

  constructor(readonly rule: RefusalRule) {
    super(
      rule === 'connections'
        ? 'This session has too many connections. Close some of its pages, and try again.'
        : 'Hosted browsers may not open this address. The operator can allow it with EGRESS_ALLOW.',
    );
  }
}

/** Dependencies of an {@link EgressGuard}. */
export interface GuardParts {
  rules: EgressRules;
  resolver: NameResolver;
  /** Returns the port that the service listens on. Undefined before the service listens. */
  servicePort: () => number | undefined;
  /** Returns the addresses of this machine's network interfaces. */
  ownAddresses?: () => ReadonlySet<string>;
}

/** Unspecified addresses. A connection to one of them reaches this machine. */
const UNSPECIFIED = ['0.0.0.0', '::'];

/**
 * Checks every connection that hosted browsers request. A name is resolved once, and all its addresses are
 * checked.
 */
export class EgressGuard {
  readonly #parts: GuardParts;
  readonly #ownAddresses: () => ReadonlySet<string>;

  constructor(parts: GuardParts) {
    this.#parts = parts;
    this.#ownAddresses = parts.ownAddresses ?? ownAddresses();
  }

  /**
   * Returns the addresses of a host. All of them have passed the check. Rejects with {@link EgressRefusal},
   * or with `ResolveError`.
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

  /**
   * Resolves a name. Loopback names are not sent to a name server, which might return another address: RFC
   * 6761, section 6.3.
   */
  async #resolve(host: string): Promise<Address[]> {
    if (/(^|\.)localhost\.?$/i.test(host)) return [{ address: '127.0.0.1', family: 4 }];
    return this.#parts.resolver.resolve(host);
  }

  #refusal(host: string, address: string, port: number): RefusalRule | undefined {
    const { rules, servicePort } = this.#parts;
    const plain = plainAddress(address);
    const kind = specialKindOf(plain);
    const own = kind === 'loopback' || UNSPECIFIED.includes(plain) || this.#ownAddresses().has(plain);
    // Only an entry of EGRESS_ALLOW that names the port opens the service's own port. An entry for the whole
    // machine does not open this port, because the pages of the service contain keys.
    if (own && port === servicePort()) return rules.opensPort(host, plain, port) ? undefined : 'service';
    if (kind === undefined && !own) return undefined;
    return rules.opens(host, plain, port) ? undefined : (kind ?? 'own_address');
  }
}
