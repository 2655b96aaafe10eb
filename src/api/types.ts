import type { Role } from '../protocol/index.js';

/** Limits of a session in time: seconds, null for none. */
export interface TimeoutLimits {
  /** Since creation, or since the last update that resets. */
  absolute?: number | null;
  /** Since the last input of a person. */
  inactive?: number | null;
  /** Without a connected viewer. Default 3600. */
  offline?: number | null;
  /** How long before the end viewers are warned. Default 60. */
  warning?: number;
}

/** An endpoint of yours. */
export interface Webhook {
  /** http or https. */
  url: string;
  /** Sent as bearer token. */
  bearer: string;
}

/** Parameters of `POST /v0/vm`. All may be left out. */
export interface CreateSession {
  /** http, https or about:; default about:blank. */
  start_url?: string;
  /** Shows the page alone, without the browser around it. */
  kiosk?: boolean;
  timeout?: TimeoutLimits & { webhook?: Partial<Webhook> & { url: string; warnings?: boolean } };
  touch_gestures?: { swipe?: boolean; pinch?: boolean };
  /** Of your own, for counting usage. */
  tenant_id?: string;
  control_disable_default?: boolean;
  /** Replaces the default roles of viewers. */
  default_roles?: Role[];
  /** Elements that only users with the role `field_masking` may write to. */
  field_masking?: { /** URL globs. */ matches: string[]; /** Of CSS. */ selectors: string[] }[];
  /** `NA`, `EU`, `AS`, or the IP address of the user. */
  region?: string;
  profile?: boolean | string | { load?: string; save?: boolean | string };
  adblock?: boolean;
  draw?: boolean;
  /** `field` names the part of the upload; see {@link CloudBrowserApi.createSession}. */
  extension?: { field: string };
  webgl?: boolean;
  /** CSS pixels; given with `height` or not at all. */
  width?: number;
  height?: number;
  /** Pixels of the screen for one CSS pixel, 1 to 3; `auto`: as the first viewer's. */
  pixel_ratio?: number | 'auto';
  /** Pixels that viewers may resize the screen to. */
  max_area?: number;
  /** 24 to 60. */
  fps?: number;
  hide_cursor?: boolean;
  search_engine?:
    | 'duckduckgo'
    | 'ecosia'
    | 'google'
    | 'startpage'
    | 'brave'
    | { url: string; name?: string; keyword?: string; suggestions_url?: string };
  user_agent?: 'chrome_android';
  dark?: boolean;
  /** While a session with this tag runs, it is answered instead of a new one. */
  tag?: string;
  quality?: { mode?: 'sharp' | 'smooth' | 'blocky' };
  locale?: { language?: string; country?: string };
  http_proxy?: { pac: string; username?: string; password?: string };
  auth?: { type?: 'token' } | { type: 'webhook'; value: Webhook };
}

/** What opens a session. */
export interface SessionAccess {
  session_id: string;
  /** For viewers. */
  embed_url: string;
  /** For your backend and for admins. */
  admin_token: string;
}

/** What creating a session answers. */
export interface SessionCreated extends SessionAccess {
  /** Sentences about what was taken in another way than it was said; absent when there is none. */
  warnings?: string[];
}

/** A session, live or ended. Dates are RFC 3339 in UTC. */
export interface SessionView extends SessionAccess {
  creation_date: string;
  termination_date: string | null;
  termination_reason: string | null;
  state: 'starting' | 'running' | 'ended';
  viewers: number;
  last_input_date: string | null;
}

/** A row of the list of running sessions. */
export interface SessionRow {
  id: string;
  creation_date: string;
  state: 'starting' | 'running';
  viewers: number;
  tag: string | null;
  tenant_id: string | null;
}

/** A month of usage. */
export interface UsageRow {
  /** Beginning of the month in UTC, RFC 3339. */
  date: string;
  seconds: number;
}
