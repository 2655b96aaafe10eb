import type { Role } from 'cloud-browser/protocol';
import type { HttpProxy } from '../../host-protocol.js';
import { invalidParameter } from '../../service-error.js';
import { maskingRulesOf } from './field-masking.js';
import { countryOf, languagesOf } from './locale.js';
import { profileUseOf } from './profile-request.js';
import { requireRegion, type Region } from './region.js';
import { knownRoles } from './roles.js';
import { screenOf } from './screen.js';
import { searchEngineOf } from './search-engines.js';
import {
  DEFAULT_ROLES,
  DEFAULT_SETTINGS,
  type SessionSecrets,
  type SessionSettings,
  type TimeoutLimits,
} from './session-settings.js';
import type { CreateRequest } from './create-request.js';
import { normalizeStartUrl } from './start-url.js';
import { limitWithin, limitsWithin } from './time-limits.js';
import type { Warnings } from './warnings.js';
import { requireWebhookUrl } from './webhook-url.js';

/**
 * Completes a customer's settings and applies the rules that a schema cannot express. The schema checks types
 * and ranges of single fields. Throws {@link ServiceError}.
 *
 * @param sessionId of the new session
 * @param regions that this node serves
 * @param warnings receives one entry for each value that is changed
 */
export function completeSettings(
  request: CreateRequest,
  sessionId: string,
  regions: readonly Region[],
  warnings: Warnings,
): SessionSettings {
  if (request.region !== undefined) requireRegion(request.region, regions, warnings);
  const { touch_gestures: gestures = {}, locale = {} } = request;
  return {
    ...screenOf(request, warnings),
    startUrl:
      request.start_url === undefined ? DEFAULT_SETTINGS.startUrl : normalizeStartUrl(request.start_url),
    startUrlUnset: request.start_url === undefined,
    kiosk: request.kiosk ?? false,
    hideCursor: request.hide_cursor ?? false,
    touchGestures: { swipe: gestures.swipe ?? false, pinch: gestures.pinch ?? false },
    adblock: (request.adblock ?? false) || (request.ublock ?? false),
    draw: request.draw ?? false,
    webgl: request.webgl ?? false,
    fieldMasking: maskingRulesOf(request.field_masking ?? []),
    dark: request.dark ?? false,
    searchEngine: searchEngineOf(request.search_engine ?? 'duckduckgo'),
    userAgent: request.user_agent ?? 'desktop',
    quality: request.quality?.mode ?? DEFAULT_SETTINGS.quality,
    locale: {
      languages: locale.language === undefined ? [] : languagesOf(locale.language),
      country: locale.country === undefined ? null : countryOf(locale.country),
    },
    tenantId: request.tenant_id ?? null,
    tag: request.tag ?? null,
    controlDisabled: request.control_disable_default ?? false,
    ...rolesOf(request, warnings),
    privacyTimeout: privacyTimeoutOf(request, warnings),
    timeout: timeoutOf(request, warnings),
    auth: request.auth?.type ?? 'token',
    profile: profileUseOf(request.profile ?? false, sessionId),
  };
}

/**
 * Returns the parts of a session that are not stored in its record. The extension comes from the caller.
 * Throws {@link ServiceError}.
 */
export function secretsOf(request: CreateRequest): Omit<SessionSecrets, 'extension'> {
  const hook = request.timeout?.webhook;
  return {
    httpProxy: request.http_proxy ? proxyOf(request.http_proxy) : null,
    authWebhook: request.auth?.type === 'webhook' ? authWebhookOf(request.auth.value ?? {}) : null,
    timeoutWebhook: hook
      ? {
          url: requireWebhookUrl('timeout.webhook.url', hook.url),
          bearer: hook.bearer ?? null,
          warnings: hook.warnings ?? false,
        }
      : null,
  };
}

/**
 * Returns the roles of new viewers. Without control, viewers may not use the tabs or resize either, unless
 * the request sets roles. With control they get all default roles.
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
 * Null keeps the default, which prevents that a user shuts others out forever. 0 removes the limit, with a
 * warning.
 */
function privacyTimeoutOf({ privacy_timeout: asked }: CreateRequest, warnings: Warnings): number | null {
  return asked === undefined || asked === null
    ? DEFAULT_SETTINGS.privacyTimeout
    : limitWithin('privacy_timeout', asked, warnings);
}

function timeoutOf(request: CreateRequest, warnings: Warnings): TimeoutLimits {
  const { absolute, inactive, offline, warning } = request.timeout ?? {};
  const given = limitsWithin({ absolute, inactive, offline, warning }, 'timeout.', warnings);
  const { offline_timeout: asked } = request;
  // The old field counts only if the one in `timeout` is absent.
  if (given.offline === undefined && asked !== undefined)
    given.offline = limitWithin('offline_timeout', asked, warnings);
  const standard = DEFAULT_SETTINGS.timeout;
  return {
    absolute: given.absolute ?? null,
    inactive: given.inactive ?? null,
    offline: given.offline === undefined ? standard.offline : given.offline,
    warning: given.warning ?? standard.warning,
  };
}

function authWebhookOf({ url, bearer }: { url?: string; bearer?: string }) {
  if (url === undefined || bearer === undefined) {
    throw invalidParameter('auth.value', 'an object with url and bearer when auth.type is webhook');
  }
  return { url: requireWebhookUrl('auth.value.url', url), bearer };
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
