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
import type { Warnings } from './warnings.js';
import { requireWebhookUrl } from './webhook-url.js';

/**
 * Completes what a customer asked for and applies the rules that no schema can say; types and ranges of single fields are
 * the schema's. Throws {@link ServiceError}.
 *
 * @param sessionId of the session that is to be
 * @param regions that this node serves
 * @param warnings added to for what is taken in another way than it was said
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
    timeout: timeoutOf(request),
    auth: request.auth?.type ?? 'token',
    profile: profileUseOf(request.profile ?? false, sessionId),
  };
}

/** What belongs to a session but not into its record. The extension is the caller's. Throws {@link ServiceError}. */
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

/** Who may not control may not drive the tabs or resize either, unless the session says so; with control comes all of it. */
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

function timeoutOf({ timeout = {}, offline_timeout: legacyOffline }: CreateRequest): TimeoutLimits {
  const standard = DEFAULT_SETTINGS.timeout;
  const offline = timeout.offline === undefined ? legacyOffline : timeout.offline;
  return {
    absolute: timeout.absolute ?? null,
    inactive: timeout.inactive ?? null,
    offline: offline === undefined ? standard.offline : offline,
    warning: timeout.warning ?? standard.warning,
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
