import { isIP } from 'node:net';
import { invalidParameter, ServiceError } from '../../service-error.js';

/** Parts of the world that sessions can run in: North America, Europe, Asia. */
export const REGIONS = ['NA', 'EU', 'AS'] as const;

/** One of {@link REGIONS}. */
export type Region = (typeof REGIONS)[number];

/**
 * Makes sure that this node serves what was asked for: a region, or the address of a user, who is served from here since
 * there is no nearer place. Throws {@link ServiceError}.
 */
export function requireRegion(asked: string, served: readonly Region[]): void {
  const region = REGIONS.find((name) => name === asked.trim().toUpperCase());
  if (region === undefined && isIP(asked.trim()) === 0)
    throw invalidParameter('region', `one of ${REGIONS.join(', ')}, or an IP address`);
  if (region !== undefined && !served.includes(region))
    throw new ServiceError('err_region_unavailable', region, served.join(', '));
}
