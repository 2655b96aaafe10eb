import type { Role } from 'cloud-browser/protocol';
import type { HttpProxy } from '../../host-protocol.js';
import type { ProfileRequest } from './profile-request.js';
import type { SearchEngineRequest } from './search-engines.js';

type Optional<T> = { [K in keyof T]?: T[K] | undefined };

/** Limits of time as a customer asks for them: seconds, null for none. */
export type TimeoutRequest = Optional<{
  absolute: number | null;
  inactive: number | null;
  offline: number | null;
  warning: number;
}>;

/** What a customer asked for, field by field as the public API calls them; each value has the right type. */
export type CreateRequest = Optional<{
  start_url: string;
  kiosk: boolean;
  timeout: TimeoutRequest & {
    webhook?: { url: string; bearer?: string | undefined; warnings?: boolean | undefined } | undefined;
  };
  offline_timeout: number | null;
  touch_gestures: Optional<{ swipe: boolean; pinch: boolean }>;
  tenant_id: string;
  control_disable_default: boolean;
  default_roles: readonly Role[];
  region: string;
  profile: ProfileRequest;
  adblock: boolean;
  ublock: boolean;
  draw: boolean;
  extension: { field: string };
  webgl: boolean;
  width: number;
  height: number;
  max_area: number;
  fps: number;
  hide_cursor: boolean;
  search_engine: SearchEngineRequest;
  user_agent: 'chrome_android';
  dark: boolean;
  tag: string;
  quality: Optional<{ mode: 'sharp' | 'smooth' | 'blocky' }>;
  locale: Optional<{ language: string; country: string }>;
  http_proxy: Optional<HttpProxy> & { pac: string };
  auth: Optional<{
    type: 'token' | 'webhook';
    value: { url?: string | undefined; bearer?: string | undefined };
  }>;
}>;
