import type { Role } from '../protocol/index.js';

/** Time limits of a session in seconds, at most 31,536,000. null: no limit. */
export interface TimeoutLimits {
  /** Counted from creation, or from the last update that resets. */
  absolute?: number | null;
  /** Counted from the last input of a person. */
  inactive?: number | null;
  /** Counted while no viewer is connected. Default 3600. */
  offline?: number | null;
  /** Time between a warning to viewers and the end. Default 60. 0 turns the warning off. */
  warning?: number;
}

/** All time limits of a session after a change. */
export interface TimeoutState extends Required<TimeoutLimits> {
  /** One sentence for each value that the service changed. Absent if it changed none. */
  warnings?: string[];
}

/** An endpoint of your backend. */
export interface Webhook {
  /** http or https. */
  url: string;
  /** Sent as a bearer token. */
  bearer: string;
}

/** Parameters of `POST /v0/vm`. All are optional. */
export interface CreateSession {
  /**
   * http:, https: or about:. `about:newtab` and `chrome://newtab` are the new tab page. Default about:blank.
   */
  start_url?: string;
  /** Shows only the page, without the browser's toolbars. */
  kiosk?: boolean;
  timeout?: TimeoutLimits & { webhook?: Partial<Webhook> & { url: string; warnings?: boolean } };
  touch_gestures?: { swipe?: boolean; pinch?: boolean };
  /** Your own id, to count usage. */
  tenant_id?: string;
  control_disable_default?: boolean;
  /** Maximum duration of a user's privacy mode in seconds. Default 600. 0: no limit. */
  privacy_timeout?: number;
  /** Replaces the default roles of viewers. */
  default_roles?: Role[];
  /** Elements into which only users with the role `field_masking` may type. */
  field_masking?: { /** URL globs. */ matches: string[]; /** CSS selectors. */ selectors: string[] }[];
  /** `NA`, `EU`, `AS`, or the IP address of the user. */
  region?: string;
  profile?: boolean | string | { load?: string; save?: boolean | string };
  adblock?: boolean;
  draw?: boolean;
  /** `field` is the name of the upload's form field, see {@link CloudBrowserApi.createSession}. */
  extension?: { field: string };
  webgl?: boolean;
  /** CSS pixels. Needs `height` too. */
  width?: number;
  height?: number;
  /** Screen pixels per CSS pixel, 1 to 3. `auto`: the value of the first viewer. */
  pixel_ratio?: number | 'auto';
  /** Largest area of the screen in pixels after a resize by viewers. */
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
  /** If a session with this tag runs, the service returns it instead of a new one. */
  tag?: string;
  quality?: { mode?: 'sharp' | 'smooth' | 'blocky' };
  locale?: { language?: string; country?: string };
  http_proxy?: { pac: string; username?: string; password?: string };
  auth?: { type?: 'token' } | { type: 'webhook'; value: Webhook };
}

/** The addresses and tokens for a session. */
export interface SessionAccess {
  session_id: string;
  /** For viewers. */
  embed_url: string;
  /** For your backend and for admins. */
  admin_token: string;
}

/** Response to the creation of a session. */
export interface SessionCreated extends SessionAccess {
  /** One sentence for each value that the service changed. Absent if it changed none. */
  warnings?: string[];
}

/** A session, live or ended. Dates are RFC 3339 in UTC. */
export interface SessionView extends SessionAccess {
  creation_date: string;
  termination_date: string | null;
  termination_reason: string | null;
  state: 'starting' | 'running' | 'ending' | 'ended';
  viewers: number;
  last_input_date: string | null;
}

/** A row of the list of running sessions. */
export interface SessionRow {
  id: string;
  creation_date: string;
  state: 'starting' | 'running' | 'ending';
  viewers: number;
  tag: string | null;
  tenant_id: string | null;
}

/** A month of usage. */
export interface UsageRow {
  /** Start of the month in UTC, RFC 3339. */
  date: string;
  seconds: number;
}
