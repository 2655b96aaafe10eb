import { BlockList, isIP } from 'node:net';
import { withoutBrackets } from '../host-name.js';

/** Reason why an address is not a public host. */
export type SpecialKind = 'loopback' | 'private' | 'link_local' | 'multicast' | 'reserved';

/**
 * Address of a service of Azure that every virtual machine there can reach. The address is public, but the
 * service gives access to the settings of the machine without a password.
 */
const AZURE_HOST = '168.63.129.16/32';
/**
 * Networks without public hosts: those of the IANA Special-Purpose Address Registries for IPv4 and IPv6,
 * multicast, and {@link AZURE_HOST}. The first matching network determines the kind. The reserved networks of
 * IPv6 include the forms that embed an IPv4 address (Teredo, 6to4).
 */
const SPECIAL: readonly (readonly [SpecialKind, readonly string[]])[] = [
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['private', ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10']],
  ['link_local', ['169.254.0.0/16', 'fe80::/10', AZURE_HOST]],
  ['multicast', ['224.0.0.0/4', 'ff00::/8']],
  [
    'reserved',
    [
      ...['0.0.0.0/8', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15'],
      ...['198.51.100.0/24', '203.0.113.0/24', '240.0.0.0/4'],
      ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
    ],
  ],
];

const special = SPECIAL.map(([kind, networks]) => {
  const list = new BlockList();
  for (const network of networks) addNetwork(list, network);
  return { kind, list };
});
/** The network that contains all public hosts of IPv6. */
const global = new BlockList();
addNetwork(global, '2000::/3');

/**
 * True if an address can belong to a public host. False for private, loopback, link-local, multicast and
 * reserved addresses in any spelling, and for a text that is not an address.
 */
export function isPublicAddress(address: string): boolean {
  return specialKindOf(address) === undefined;
}

/**
 * Returns the reason why an address cannot belong to a public host, or undefined if it can. A text that is
 * not an address is `reserved`.
 */
export function specialKindOf(address: string): SpecialKind | undefined {
  const plain = plainAddress(address);
  const family = isIP(plain);
  if (family === 0) return 'reserved';
  const type = family === 6 ? 'ipv6' : 'ipv4';
  const found = special.find(({ list }) => list.check(plain, type));
  if (found) return found.kind;
  return family === 4 || global.check(plain, 'ipv6') ? undefined : 'reserved';
}

/**
 * Returns an address without brackets. An IPv4 address in IPv6 form (`::ffff:1.2.3.4`) is returned in IPv4
 * form.
 */
export function plainAddress(address: string): string {
  const bare = withoutBrackets(address);
  if (isIP(bare) !== 6) return bare;
  // The URL parser normalizes every spelling of an IPv6 address.
  const canonical = new URL(`http://[${bare.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (!mapped) return canonical;
  const [high = 0, low = 0] = mapped.slice(1).map((part) => parseInt(part, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Adds a network such as `10.0.0.0/8`. Throws if it is invalid. */
export function addNetwork(list: BlockList, network: string): void {
  const [address = '', bits = ''] = network.split('/');
  list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
