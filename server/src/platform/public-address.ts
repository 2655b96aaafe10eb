import { BlockList, isIP } from 'node:net';

/** Networks of IPv4 that are nobody's public host. IANA IPv4 Special-Purpose Address Registry, and multicast. */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/**
 * All public hosts of IPv6 lie in 2000::/3; within it these are not. Among them are the ways to write an IPv4 address as one
 * of IPv6 (Teredo, 6to4). IANA IPv6 Special-Purpose Address Registry.
 */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const special = new BlockList();
for (const network of SPECIAL_V4) addNetwork(special, network);
for (const network of SPECIAL_V6) addNetwork(special, network);
const global = new BlockList();
addNetwork(global, '2000::/3');

/**
 * Whether an address can belong to a public host: not private, loopback, link-local, multicast or reserved, in whatever way
 * it is written. What is not an address at all is not public.
 */
export function isPublicAddress(address: string): boolean {
  const plain = plainAddress(address);
  const family = isIP(plain);
  if (family === 4) return !special.check(plain, 'ipv4');
  if (family === 6) return global.check(plain, 'ipv6') && !special.check(plain, 'ipv6');
  return false;
}

/** An address without its brackets, and in IPv4 form when it is an IPv4 address in disguise (`::ffff:1.2.3.4`). */
export function plainAddress(address: string): string {
  const bare = address.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 6) return bare;
  // The URL parser writes every spelling of an IPv6 address in one way.
  const canonical = new URL(`http://[${bare.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (!mapped) return canonical;
  const [high = 0, low = 0] = mapped.slice(1).map((part) => parseInt(part, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Adds a network such as `10.0.0.0/8`. Throws for what is none. */
export function addNetwork(list: BlockList, network: string): void {
  const [address = '', bits = ''] = network.split('/');
  list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
