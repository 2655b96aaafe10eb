import { newSessionId } from './session-id.js';
import type { Wanted } from './placement.js';
import { completeSettings, secretsOf } from './settings/complete-settings.js';
import type { CreateRequest } from './settings/create-request.js';
import { REGIONS, type Region } from './settings/region.js';
import type { SessionSettings } from './settings/session-settings.js';

/** What a request wants of a machine. A request that cannot be granted throws a {@link ServiceError} before it takes a place. */
export function wantedBy(request: CreateRequest, regions: readonly Region[]): Omit<Wanted, 'apiKey'> {
  // Of which session is not known yet; only the name of a new profile depends on that.
  const settings = completeSettings(request, newSessionId(), regions, []);
  secretsOf(request);
  return wantedWith(settings, request);
}

/** The same, of a session whose settings are complete. */
export function wantedWith(settings: SessionSettings, request: CreateRequest): Omit<Wanted, 'apiKey'> {
  const { tag, tenantId, width, height, pixelRatio, fps } = settings;
  return { tag, tenantId, regions: regionsOf(request), cost: width * height * pixelRatio ** 2 * fps };
}

function regionsOf({ region }: CreateRequest): readonly Region[] {
  const name = region?.trim().toUpperCase();
  return REGIONS.filter((known) => known === name);
}
