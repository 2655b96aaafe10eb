import { newSessionId } from './session-id.js';
import type { PlacementRequest } from './placement.js';
import { completeSettings, secretsOf } from './settings/complete-settings.js';
import type { CreateRequest } from './settings/create-request.js';
import { REGIONS, type Region } from './settings/region.js';
import type { SessionSettings } from './settings/session-settings.js';

/**
 * Returns the placement request of a create request. Throws a {@link ServiceError} for an invalid request,
 * before a place is reserved.
 */
export function placementRequestOf(
  request: CreateRequest,
  regions: readonly Region[],
): Omit<PlacementRequest, 'apiKey'> {
  // Uses a temporary id, since the session has no id yet. Only the name of a new profile depends on it.
  const settings = completeSettings(request, newSessionId(), regions, []);
  secretsOf(request);
  return placementRequestFor(settings, request);
}

/** Returns the placement request of a session whose settings are complete. */
export function placementRequestFor(
  settings: SessionSettings,
  request: CreateRequest,
): Omit<PlacementRequest, 'apiKey'> {
  const { tag, tenantId, width, height, pixelRatio, fps } = settings;
  return { tag, tenantId, regions: regionsOf(request), cost: width * height * pixelRatio ** 2 * fps };
}

function regionsOf({ region }: CreateRequest): readonly Region[] {
  const name = region?.trim().toUpperCase();
  return REGIONS.filter((known) => known === name);
}
