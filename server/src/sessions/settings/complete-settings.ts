import type { Role } from 'cloud-browser/protocol';
import type { HttpProxy } from '../../host-protocol.js';
import { invalidParameter } from '../../service-error.js';
import { maskingRulesOf } from '../../create-fields/values/field-masking.js';
import { browserFlagsOf, CREATE_FIELDS } from '../../create-fields/index.js';
import { STANDARD_QUALITY } from '../../create-fields/screen-fields.js';
import { STANDARD_LIMITS } from '../../create-fields/session-fields.js';
import { automationOf } from '../../create-fields/values/automation-request.js';
import { countryOf, languagesOf } from './locale.js';
import { profileChoiceOf } from '../../create-fields/values/profile-request.js';
import { requireRegion, type Region } from '../../create-fields/values/region.js';
import { recordingSettingsOf } from '../../create-fields/values/recording-request.js';
import { DEFAULT_ROLES, knownRoles } from '../../create-fields/values/roles.js';
import { screenOf } from './screen.js';
import { searchEngineOf } from '../../create-fields/values/search-engines.js';
import type { RequestedSettings, SessionSecrets } from './session-settings.js';
import type { CreateRequest } from '../../create-fields/create-request.js';
import { normalizeStartUrl } from './start-url.js';
import { limitWithin, limitsWithin, type TimeoutLimits } from '../../create-fields/values/time-limits.js';
import { warnOfUnknownFields } from '../../create-fields/unknown-fields.js';
import type { Warnings } from '../../create-fields/warnings.js';
import { requireBearer, requireWebhookUrl } from './webhook-url.js';

/**
 * Completes the settings of a request, and applies the rules that a schema cannot express. The schema has
 * already checked the types and ranges of single fields. Throws {@link ServiceError}.
 *
 * @param regions that this service serves, on any node
 * @param warnings receives one entry for each value that is changed, and one for unknown fields
 */
export function completeSettings(
  request: CreateRequest,
  regions: readonly Region[],
  warnings: Warnings,
): RequestedSettings {
  warnOfUnknownFields(request, warnings);
  if (request.region !== undefined) requireRegion(request.region, regions, warnings);
  const { touch_gestures: gestures = {}, locale = {} } = request;
  const flags = browserFlagsOf(request);
  return {
    ...screenOf(request, warnings),
    ...flags,
    adblock: flags.adblock || (request.ublock ?? false),
    startUrl:
      request.start_url === undefined
        ? CREATE_FIELDS.start_url.standard
        : normalizeStartUrl(request.start_url),
    startUrlUnset: request.start_url === undefined,
    touchGestures: { swipe: gestures.swipe ?? false, pinch: gestures.pinch ?? false },
    fieldMasking: maskingRulesOf(request.field_masking ?? []),
    searchEngine: searchEngineOf(request.search_engine ?? CREATE_FIELDS.search_engine.standard),
    userAgent: request.user_agent ?? 'desktop',
    quality: request.quality?.mode ?? STANDARD_QUALITY,
    locale: {
      languages: locale.language === undefined ? [] : languagesOf(locale.language),
      country: locale.country === undefined ? null : countryOf(locale.country),
    },
    tenantId: request.tenant_id ?? null,
    tag: request.tag ?? null,
    controlDisabled: request.control_disable_default ?? false,
    ...rolesOf(request, warnings),
    privacyTimeout: privacyTimeoutOf(request, warnings),
    automation: automationOf(request.automation, warnings),
    timeout: timeoutOf(request, warnings),
    auth: request.auth?.type ?? 'token',
    profile: profileChoiceOf(request.profile ?? false),
    record: recordingSettingsOf(request.record ?? false),
  };
}

/**
 * Returns the secrets of a request. They are not stored in the session's record. The caller adds the
 * extension. Throws {@link ServiceError}.
 */
export function secretsOf(request: CreateRequest): Omit<SessionSecrets, 'extension'> {
  const hook = request.timeout?.webhook;
  return {
    httpProxy: request.http_proxy ? proxyOf(request.http_proxy) : null,
    authWebhook: request.auth?.type === 'webhook' ? authWebhookOf(request.auth.value ?? {}) : null,
    timeoutWebhook: hook
      ? {
          url: requireWebhookUrl('timeout.webhook.url', hook.url),
          bearer: hook.bearer === undefined ? null : requireBearer('timeout.webhook.bearer', hook.bearer),
          warnings: hook.warnings ?? false,
          handoffs: hook.handoffs ?? false,
        }
      : null,
  };
}

/**
 * Returns the roles of new viewers, and the roles that they have only together with control (`tiedRoles`). If
 * the request disables control and sets no roles, viewers have no role until an admin gives them control.
 * Until then, they cannot use the tabs or resize. With control, they have all default roles.
 */
function rolesOf(
  request: CreateRequest,
  warnings: Warnings,
): { roles: readonly Role[]; tiedRoles: readonly Role[] } {
  if (request.default_roles !== undefined)
    return { roles: knownRoles('default_roles', request.default_roles, warnings), tiedRoles: [] };
  return request.control_disable_default === true
    ? { roles: [], tiedRoles: DEFAULT_ROLES }
    : { roles: DEFAULT_ROLES, tiedRoles: [] };
}

/**
 * Returns the maximum duration of privacy mode in seconds. If the value is absent or null, the default
 * applies, so that no user can exclude others forever. 0 removes the limit, with a warning.
 */
function privacyTimeoutOf({ privacy_timeout: asked }: CreateRequest, warnings: Warnings): number | null {
  return asked === undefined || asked === null
    ? CREATE_FIELDS.privacy_timeout.standard
    : limitWithin('privacy_timeout', asked, warnings);
}

function timeoutOf(request: CreateRequest, warnings: Warnings): TimeoutLimits {
  const { absolute, inactive, offline, warning } = request.timeout ?? {};
  const given = limitsWithin({ absolute, inactive, offline, warning }, 'timeout.', warnings);
  const { offline_timeout: asked } = request;
  // The old field `offline_timeout` counts only if `timeout.offline` is absent.
  if (given.offline === undefined && asked !== undefined)
    given.offline = limitWithin('offline_timeout', asked, warnings);
  return {
    absolute: given.absolute ?? STANDARD_LIMITS.absolute,
    inactive: given.inactive ?? STANDARD_LIMITS.inactive,
    offline: given.offline === undefined ? STANDARD_LIMITS.offline : given.offline,
    warning: given.warning ?? STANDARD_LIMITS.warning,
  };
}

function authWebhookOf({ url, bearer }: { url?: string; bearer?: string }) {
  if (url === undefined || bearer === undefined) {
    throw invalidParameter('auth.value', 'an object with url and bearer when auth.type is webhook');
  }
  return {
    url: requireWebhookUrl('auth.value.url', url),
    bearer: requireBearer('auth.value.bearer', bearer),
  };
}

function proxyOf({ pac, username, password }: NonNullable<CreateRequest['http_proxy']>): HttpProxy {
  const address = pac.trim();
  const isScript = /\bFindProxyForURL\b/.test(address);
  if (!isScript && !(URL.canParse(address) && /^(https?|data):$/.test(new URL(address).protocol))) {
    throw invalidParameter(
      'http_proxy.pac',
      'the address of a proxy auto-configuration script (http, https or data), or the script itself',
    );
  }
  return {
    pac: address,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
}
