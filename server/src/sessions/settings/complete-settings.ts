import type { Role } from 'cloud-browser/protocol';
import type { HttpProxy } from '../../host-protocol.js';
import { ServiceError } from '../../service-error.js';
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

/** What a wish is completed with. */
export interface Circumstances {
  /** Of the session that is to be. */
  sessionId: string;
  /** The regions that this node serves. */
  regions: readonly Region[];
}

/**
 * Completes what a customer asked for and applies the rules that no schema can say; types and ranges of single fields are
 * the HTTP schema's. Throws {@link ServiceError}.
 */
export function completeSettings(
  wishes: CreateRequest,
  { sessionId, regions }: Circumstances,
): SessionSettings {
  if (wishes.region !== undefined) requireRegion(wishes.region, regions);
  const { touch_gestures: gestures = {}, locale = {} } = wishes;
  return {
    ...screenOf(wishes),
    startUrl:
      wishes.start_url === undefined ? DEFAULT_SETTINGS.startUrl : normalizeStartUrl(wishes.start_url),
    startUrlUnset: wishes.start_url === undefined,
    fps: wishes.fps ?? DEFAULT_SETTINGS.fps,
    kiosk: wishes.kiosk ?? false,
    hideCursor: wishes.hide_cursor ?? false,
    touchGestures: { swipe: gestures.swipe ?? false, pinch: gestures.pinch ?? false },
    adblock: (wishes.adblock ?? false) || (wishes.ublock ?? false),
    draw: wishes.draw ?? false,
    webgl: wishes.webgl ?? false,
    dark: wishes.dark ?? false,
    searchEngine: searchEngineOf(wishes.search_engine ?? 'duckduckgo'),
    userAgent: wishes.user_agent ?? 'desktop',
    quality: wishes.quality?.mode ?? DEFAULT_SETTINGS.quality,
    locale: {
      languages: locale.language === undefined ? [] : languagesOf(locale.language),
      country: locale.country === undefined ? null : countryOf(locale.country),
    },
    tenantId: wishes.tenant_id ?? null,
    tag: wishes.tag ?? null,
    controlDisabled: wishes.control_disable_default ?? false,
    roles: rolesOf(wishes),
    timeout: timeoutOf(wishes),
    auth: wishes.auth?.type ?? 'token',
    profile: profileUseOf(wishes.profile ?? false, sessionId),
  };
}

/** What belongs to a session but not into its record. The extension is the caller's. Throws {@link ServiceError}. */
export function secretsOf(wishes: CreateRequest): Omit<SessionSecrets, 'extension'> {
  const hook = wishes.timeout?.webhook;
  return {
    httpProxy: wishes.http_proxy ? proxyOf(wishes.http_proxy) : null,
    authWebhook: wishes.auth?.type === 'webhook' ? authWebhookOf(wishes.auth.value ?? {}) : null,
    timeoutWebhook: hook
      ? {
          url: requireWebhookUrl('timeout.webhook.url', hook.url),
          bearer: hook.bearer ?? null,
          warnings: hook.warnings ?? false,
        }
      : null,
  };
}

function screenOf(wishes: CreateRequest): Pick<SessionSettings, 'width' | 'height' | 'maxArea'> {
  const { width = DEFAULT_SETTINGS.width, height = DEFAULT_SETTINGS.height } = wishes;
  if ((wishes.width === undefined) !== (wishes.height === undefined)) {
    const [missing, given] = wishes.width === undefined ? ['width', 'height'] : ['height', 'width'];
    throw new ServiceError('err_invalid_parameter', missing, `given as well when ${given} is`);
  }
  const area = width * height;
  if (area > SCREEN_LIMITS.maxArea) {
    const expected = `at most ${SCREEN_LIMITS.maxArea} pixels in total (1920 x 1080), not ${area}`;
    throw new ServiceError('err_invalid_parameter', 'width x height', expected);
  }
  const maxArea = wishes.max_area ?? area;
  if (maxArea < area) {
    const expected = `at least width x height, which is ${area}, and at most ${SCREEN_LIMITS.maxArea}`;
    throw new ServiceError('err_invalid_parameter', 'max_area', expected);
  }
  return { width, height, maxArea };
}

function rolesOf(wishes: CreateRequest): Role[] {
  if (wishes.default_roles !== undefined) return [...new Set(wishes.default_roles)];
  const controlled = wishes.control_disable_default === true;
  return DEFAULT_ROLES.filter((role) => role !== 'control' || !controlled);
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

function authWebhookOf({ url, bearer }: { url?: string | undefined; bearer?: string | undefined }) {
  if (url === undefined || bearer === undefined) {
    throw new ServiceError(
      'err_invalid_parameter',
      'auth.value',
      'an object with url and bearer when auth.type is webhook',
    );
  }
  return { url: requireWebhookUrl('auth.value.url', url), bearer };
}

function proxyOf({ pac, username, password }: NonNullable<CreateRequest['http_proxy']>): HttpProxy {
  const address = pac.trim();
  const isScript = /\bFindProxyForURL\b/.test(address);
  if (!isScript && !(URL.canParse(address) && /^(https?|data):$/.test(new URL(address).protocol))) {
    throw new ServiceError(
      'err_invalid_parameter',
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
