import { isIP } from 'node:net';
import { ServiceError } from '../../service-error.js';
import { quoted, type Warnings } from './warnings.js';

/** Parts of the world that sessions can run in: North America, Europe, Asia. */
export const REGIONS = ['NA', 'EU', 'AS'] as const;

/** One of {@link REGIONS}. */
export type Region = (typeof REGIONS)[number];

/**
 * Makes sure that this node serves what was asked for: a region, or the address of a user, who is served from here since
 * there is no nearer place; so is who asks for a place that has no name here. Throws {@link ServiceError}.
 */
export function requireRegion(asked: string, served: readonly Region[], warnings: Warnings): void {
  const name = asked.trim();
  const region = REGIONS.find((known) => known === name.toUpperCase());
  if (region !== undefined && !served.includes(region))
    throw new ServiceError('err_region_unavailable', region, served.join(', '));
  if (region === undefined && isIP(name) === 0)
    warnings.push(`region ${quoted(name)} is unknown; the session runs where this service does.`);
}
