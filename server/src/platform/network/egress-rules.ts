import { BlockList, isIP } from 'node:net';
import { addNetwork, isPublicAddress, plainAddress } from './addresses/public-address.js';
import { withoutBrackets } from './host-name.js';

/**
 * An exception from "public hosts only": a host name, an address or a network, for one port or for all ports.
 */
interface Exception {
  matches(host: string, address: string): boolean;
  port: number | undefined;
}

/**
 * Rules for connections that the service makes for users. They allow public hosts, and the hosts that the
 * operator lists as exceptions.
 */
export class EgressRules {
  private constructor(
    private readonly exceptions: readonly Exception[],
    /** Input of {@link parse}, so that another process can use the same rules. */
    readonly entries: readonly string[],
  ) {}

  /**
   * Parses the exceptions of rules. Each is `host`, `address` or `network/bits`, optionally with `:port`. An
   * IPv6 address with a port is in brackets. Returns undefined if an exception is invalid.
   */
  static parse(entries: readonly string[]): EgressRules | undefined {
    const exceptions = entries.map(parseException);
    return exceptions.every((exception) => exception !== undefined)
      ? new EgressRules(exceptions, entries)
      : undefined;
  }

  /**
   * True if the service may connect to this address. `host` is the name for which the lookup returned the
   * address, or the address itself.
   */
  allows(host: string, address: string, port: number): boolean {
    return isPublicAddress(address) || this.opens(host, address, port);
  }

  /** True if an exception of the operator allows this address and port. */
  opens(host: string, address: string, port: number): boolean {
    return this.#find(host, address, ({ port: opened }) => (opened ?? port) === port);
  }

  /** True if an exception of the operator allows this address and names this port. */
  opensPort(host: string, address: string, port: number): boolean {
    return this.#find(host, address, ({ port: opened }) => opened === port);
  }

  #find(host: string, address: string, fits: (exception: Exception) => boolean): boolean {
    const plain = plainAddress(address);
    const name = plainAddress(host.toLowerCase().replace(/\.$/, ''));
    return this.exceptions.some((exception) => fits(exception) && exception.matches(name, plain));
  }
}

/** Allows public hosts only. */
export const PUBLIC_ONLY = EgressRules.parse([]) as EgressRules;

function parseException(entry: string): Exception | undefined {
  const text = entry.trim().toLowerCase();
  const whole = parseTarget(text);
  if (whole) return { matches: whole, port: undefined };
  const [, target = '', digits = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  const matches = parseTarget(target);
  return matches && port >= 1 && port <= 65_535 ? { matches, port } : undefined;
}

function parseTarget(text: string): Exception['matches'] | undefined {
  const bare = withoutBrackets(text);
  if (isIP(bare) !== 0) {
    const address = plainAddress(bare);
    return (_host, candidate) => candidate === address;
  }
  if (/^[^/]+\/\d{1,3}$/.test(bare)) return parseNetwork(bare);
  if (!/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/.test(text) || /^[\d.]+$/.test(text)) return undefined;
  return (host) => host === text;
}

function parseNetwork(text: string): Exception['matches'] | undefined {
  const list = new BlockList();
  try {
    addNetwork(list, text);
  } catch {
    return undefined;
  }
  return (_host, candidate) => list.check(candidate, isIP(candidate) === 6 ? 'ipv6' : 'ipv4');
}
