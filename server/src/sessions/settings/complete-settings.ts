import type { Role } from 'cloud-browser/protocol';
import type { HttpProxy } from '../../host-protocol.js';
import { invalidParameter } from '../../service-error.js';
import { masksOf } from './field-masking.js';
import { countryOf, languagesOf } from './locale.js';
import { profileUseOf } from './profile-request.js';
import { requireRegion, type Region } from './region.js';
import { searchEngineOf } from './search-engines.js';
import {
  DEFAULT_ROLES,
  DEFAULT_SETTINGS,
  SCREEN_LIMITS,
  type SessionSecrets,
  type SessionSettings,
  type TimeoutLimits,
} from './session-settings.js';
import type { CreateRequest } from './create-request.js';
import { normalizeStartUrl } from './start-url.js';
import { requireWebhookUrl } from './webhook-url.js';

/**
 * Completes what a customer asked for and applies the rules that no schema can say; types and ranges of single fields are
 * the schema's. Throws {@link ServiceError}.
 *
 * @param sessionId of the session that is to be
 * @param regions that this node serves
 */
export function completeSettings(
  request: CreateRequest,
  sessionId: string,
  regions: readonly Region[],
): SessionSettings {
  if (request.region !== undefined) requireRegion(request.region, regions);
  const { touch_gestures: gestures = {}, locale = {} } = request;
  return {
    ...screenOf(request),
    startUrl:
      request.start_url === undefined ? DEFAULT_SETTINGS.startUrl : normalizeStartUrl(request.start_url),
    startUrlUnset: request.start_url === undefined,
    fps: request.fps ?? DEFAULT_SETTINGS.fps,
    kiosk: request.kiosk ?? false,
    hideCursor: request.hide_cursor ?? false,
    touchGestures: { swipe: gestures.swipe ?? false, pinch: gestures.pinch ?? false },
    adblock: (request.adblock ?? false) || (request.ublock ?? false),
    draw: request.draw ?? false,
    webgl: request.webgl ?? false,
    fieldMasking: masksOf(request.field_masking ?? []),
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
    ...rolesOf(request),
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

function screenOf(request: CreateRequest): Pick<SessionSettings, 'width' | 'height' | 'maxArea'> {
  const { width = DEFAULT_SETTINGS.width, height = DEFAULT_SETTINGS.height } = request;
  if ((request.width === undefined) !== (request.height === undefined)) {
    const [missing, given] = request.width === undefined ? ['width', 'height'] : ['height', 'width'];
    throw invalidParameter(missing, `given as well when ${given} is`);
  }
  const area = width * height;
  if (area > SCREEN_LIMITS.maxArea) {
    const expected = `at most ${SCREEN_LIMITS.maxArea} pixels in total (1920 x 1080), not ${area}`;
    throw invalidParameter('width x height', expected);
  }
  const maxArea = request.max_area ?? area;
  if (maxArea < area) {
    const expected = `at least width x height, which is ${area}, and at most ${SCREEN_LIMITS.maxArea}`;
    throw invalidParameter('max_area', expected);
  }
  return { width, height, maxArea };
}

/** Who may not control may not drive the tabs or resize either, unless the session says so; with control comes all of it. */
function rolesOf(request: CreateRequest): { roles: readonly Role[]; tiedRoles: readonly Role[] } {
  if (request.default_roles !== undefined)
    return { roles: [...new Set(request.default_roles)], tiedRoles: [] };
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
