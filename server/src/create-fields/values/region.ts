import { isIP } from 'node:net';
import { ServiceError } from '../../service-error.js';
import { quoted, type Warnings } from '../warnings.js';

/** Parts of the world that sessions can run in: North America, Europe, Asia. */
export const REGIONS = ['NA', 'EU', 'AS'] as const;

/** One of {@link REGIONS}. */
export type Region = (typeof REGIONS)[number];

/**
 * Throws {@link ServiceError} if this service does not serve the requested region. Also accepts the IP
 * address of a user. An address does not affect the location of the session. Accepts any other value too, but
 * adds a warning.
 */
export function requireRegion(asked: string, served: readonly Region[], warnings: Warnings): void {
  const name = asked.trim();
  const region = REGIONS.find((known) => known === name.toUpperCase());
  if (region !== undefined && !served.includes(region))
    throw new ServiceError('err_region_unavailable', region, served.join(', '));
  if (region === undefined && isIP(name) === 0)
    warnings.push(`region ${quoted(name)} is unknown; the session runs where this service does.`);
}
