import type { CreateRequest } from '../../create-fields/create-request.js';
import { REGIONS, type Region } from '../../create-fields/values/region.js';
import type { Warnings } from '../../create-fields/warnings.js';
import type { CreateContext } from './create.js';
import type { PlacementRequest } from '../placement/placement.js';
import { completeSettings, secretsOf } from '../settings/complete-settings.js';
import type { RequestedSettings, SessionSecrets } from '../settings/session-settings.js';

/** A create request with all its settings. The node that receives a request checks and completes it, once. */
export interface CompleteRequest {
  settings: RequestedSettings;
  secrets: SessionSecrets;
  /** Request for a place for this session. */
  placement: PlacementRequest;
}

/**
 * Checks and completes a create request before the session gets a place. Throws a {@link ServiceError} for a
 * request that cannot be granted.
 *
 * @param regions that this service serves
 * @param warnings receives one entry for each value that is changed
 */
export function completeRequest(
  request: CreateRequest,
  { apiKey, extension }: CreateContext,
  regions: readonly Region[],
  warnings: Warnings,
): CompleteRequest {
  const settings = completeSettings(request, regions, warnings);
  const { tag, tenantId, width, height, pixelRatio, fps } = settings;
  const cost = width * height * pixelRatio ** 2 * fps;
  return {
    settings,
    secrets: { ...secretsOf(request), extension },
    placement: { apiKey, tag, tenantId, regions: regionsOf(request), cost },
  };
}

function regionsOf({ region }: CreateRequest): readonly Region[] {
  const name = region?.trim().toUpperCase();
  return REGIONS.filter((known) => known === name);
}
