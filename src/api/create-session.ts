// "npm run api" writes this file from server/src/create-fields/.
import type { Role } from '../protocol/index.js';
import type { Webhook } from './types.js';

/** Parameters of `POST /v0/vm`. All are optional. */
export interface CreateSession {
  /**
   * First address: http, https or about:. An address without a scheme is opened with https, or with http
   * if it has a port, is an IP address, or is a name without dots. `about:newtab` and `chrome://newtab`
   * open the new tab page, in upper or lower case. Without `start_url`, a loaded profile opens its own
   * tabs.
   * @default about:blank
   */
  start_url?: string | undefined;
  /**
   * Enables WebGL.
   * @default false
   */
  webgl?: boolean | undefined;
  /** `swipe`: a swipe goes back or forward. `pinch`: two fingers zoom the page. */
  touch_gestures?:
    | {
        /**
         * A swipe to the side goes back or forward.
         * @default false
         */
        swipe?: boolean | undefined;
        /**
         * Two fingers zoom the page.
         * @default false
         */
        pinch?: boolean | undefined;
      }
    | undefined;
  /** `chrome_android`: pages see Chrome on an Android phone. */
  user_agent?: 'chrome_android' | undefined;
  /**
   * `language`: a list in the format of the Accept-Language header. `country`: ISO 3166 alpha-2.
   */
  locale?:
    | {
        /** Languages in the format of the Accept-Language header. */
        language?: string | undefined;
        /** ISO 3166 alpha-2 country code. */
        country?: string | undefined;
      }
    | undefined;
  /**
   * Search engine of the address bar: `duckduckgo`, `ecosia`, `google`, `startpage`, `brave`. For another
   * engine: `{name, keyword, url, suggestions_url}` with `{searchTerms}` in the addresses. Only `url` is
   * required.
   * @default duckduckgo
   */
  search_engine?:
    | ('duckduckgo' | 'ecosia' | 'google' | 'startpage' | 'brave')
    | {
        name?: string | undefined;
        keyword?: string | undefined;
        /** Contains {searchTerms}. */
        url: string;
        /** Contains {searchTerms}. */
        suggestions_url?: string | undefined;
      }
    | undefined;
  /**
   * Blocks advertisements and trackers.
   * @default false
   */
  adblock?: boolean | undefined;
  /**
   * Adds tools for drawing on pages.
   * @default false
   */
  draw?: boolean | undefined;
  /**
   * Your own extension, at most 1 MB. Needs a multipart body. `field`: name of the part that contains the
   * zip or crx archive.
   */
  extension?:
    | {
        /** Name of the part of the multipart body that contains the zip or crx archive. */
        field: string;
      }
    | undefined;
  /**
   * Your proxy for all pages: `{pac, username, password}`. `pac` is a proxy auto-configuration script, or
   * the address of one (http, https, data). The script defines `FindProxyForURL`, in the syntax of
   * ES2017, and returns `PROXY`, `HTTPS`, `SOCKS` or `DIRECT`, at most 8 of them separated by `;`. The
   * script gets `https` addresses without their path.
   */
  http_proxy?:
    | {
        /** Address of a proxy auto-configuration script, or the script itself. */
        pac: string;
        /** User name for the proxy. */
        username?: string | undefined;
        /** Password for the proxy. */
        password?: string | undefined;
      }
    | undefined;
  /**
   * Width of the screen in CSS pixels. Send both sides or neither. Odd numbers are allowed. A side below
   * 256 becomes 256, a side above 3840 becomes 3840, and a fraction is rounded. Each of these three
   * changes gives a warning. The service refuses an area above 1920 × 1080 with 400.
   * @default 1280
   */
  width?: number | undefined;
  /**
   * Height of the screen in CSS pixels, see `width`.
   * @default 720
   */
  height?: number | undefined;
  /**
   * Screen pixels per CSS pixel, 1 to 3. `auto`: the ratio of the first viewer. If the screen would have
   * too many pixels, the ratio is lowered, with a warning.
   * @default 1
   */
  pixel_ratio?: number | 'auto' | undefined;
  /**
   * Largest area that viewers can resize the screen to, in screen pixels, at most 1920 × 1080. The
   * default is 1280 × 720 times the square of `pixel_ratio`, but at most 1920 × 1080. With `pixel_ratio`
   * `auto`, the default is 1920 × 1080. If the first screen is larger than this limit, the area of the
   * first screen is the limit.
   */
  max_area?: number | undefined;
  /**
   * Frames per second, 24 to 60. A fraction is rounded, with a warning.
   * @default 24
   */
  fps?: number | undefined;
  /**
   * `mode` is the kind of picture. `sharp`: for small text, in full colour, with 3 times the bits of
   * `smooth`. `smooth`: for movement, with at most 6.3 Mbit/s at 720p30. `blocky`: for poor connections.
   */
  quality?:
    | {
        /**
         * The kind of picture, see `quality`.
         * @default smooth
         */
        mode?: 'sharp' | 'smooth' | 'blocky' | undefined;
      }
    | undefined;
  /**
   * Shows only the page, without the browser's interface.
   * @default false
   */
  kiosk?: boolean | undefined;
  /**
   * Always hides the remote pointer.
   * @default false
   */
  hide_cursor?: boolean | undefined;
  /**
   * Dark browser and dark pages.
   * @default false
   */
  dark?: boolean | undefined;
  /**
   * Browser state (bookmarks, history, passwords, cookies, tabs) to load and to save. The id of a profile
   * is the `session_id` of the session that saved it first. `true`: saves a new profile. An id: loads
   * that profile and saves to it. `{load, save}`: sets the two separately. `load` is an id. `save` is
   * `true` (a new profile), an id, or `false` (default: nothing is saved).
   */
  profile?:
    | boolean
    | string
    | {
        /** Id of the session whose profile is loaded. */
        load?: string | undefined;
        /**
         * true: a new profile with the id of this session. An id: replaces that profile.
         * @default false
         */
        save?: boolean | string | undefined;
      }
    | undefined;
  /**
   * Records the session as a video with sound and events. `true`, or `{audio, fps, events, max_seconds,
   * max_mb}`. With `{ring: 60}`, the session keeps its last 60 seconds in memory, for a recording of what
   * has just happened.
   */
  record?:
    | boolean
    | {
        /**
         * Records the sound.
         * @default true
         */
        audio?: boolean | undefined;
        /**
         * Frames per second while no viewer sees the session.
         * @default 5
         */
        fps?: number | undefined;
        /**
         * Records events: navigations, users, clicks and others. Never typed text.
         * @default true
         */
        events?: boolean | undefined;
        /** Seconds after which the recording ends. */
        max_seconds?: number | undefined;
        /** MB at which the recording ends. */
        max_mb?: number | undefined;
        /** Seconds that the session keeps in memory. A later request can record them. */
        ring?: number | undefined;
      }
    | undefined;
  /** Time limits of the session, and their webhook. */
  timeout?:
    | {
        /**
         * Seconds after creation at which the session ends. null or 0: never. A value above 31536000 (a year)
         * becomes 31536000, with a warning.
         * @default null
         */
        absolute?: number | null | undefined;
        /**
         * Seconds without input of a person after which the session ends. null or 0: never. A value above
         * 31536000 (a year) becomes 31536000, with a warning.
         * @default null
         */
        inactive?: number | null | undefined;
        /**
         * Seconds without a connected viewer after which the session ends. null or 0: never. A value above
         * 31536000 (a year) becomes 31536000, with a warning.
         * @default 3600
         */
        offline?: number | null | undefined;
        /**
         * Seconds before a timeout at which viewers receive a warning. 0: no warning. A value above 31536000
         * becomes 31536000, and the response has a warning.
         * @default 60
         */
        warning?: number | undefined;
        /** Endpoint for timeout events. */
        webhook?:
          | {
              /** Receives an event for every timeout that ends the session. */
              url: string;
              /** Sent as a bearer token with every event. */
              bearer?: string | undefined;
              /**
               * Sends an event for every warning too.
               * @default false
               */
              warnings?: boolean | undefined;
              /**
               * Sends an event when an agent asks for a person, and when this request ends.
               * @default false
               */
              handoffs?: boolean | undefined;
            }
          | undefined;
      }
    | undefined;
  /**
   * Freezes the browser after a minute without a viewer, a program, a recording, a file transfer or
   * sound. The browser continues when a viewer or a program connects. The time limits also apply to a
   * frozen session.
   * @default false
   */
  standby?: boolean | undefined;
  /**
   * While a session with this tag runs, the service returns that session instead of a new one. The other
   * fields of the request then have no effect, and the response has no warnings.
   */
  tag?: string | undefined;
  /** A name of yours, for counting usage. */
  tenant_id?: string | undefined;
  /**
   * Region of the session, one of `NA`, `EU`, `AS`. The service refuses a region that it does not serve.
   * It accepts the IP address of a user and ignores it. It ignores any other value too, with a warning.
   */
  region?: string | undefined;
  /**
   * Decides which viewers can join: those with the token in the address, those that your endpoint admits,
   * or only those with a token that you issue.
   */
  auth?:
    { type?: 'token' | undefined } | { type: 'tokens' } | { type: 'webhook'; value: Webhook } | undefined;
  /**
   * Maximum seconds of privacy mode. The user in privacy mode gets a warning before the end, and can
   * renew privacy mode. 0 means no limit, and the response has a warning. Null means the default.
   * @default 600
   */
  privacy_timeout?: number | null | undefined;
  /**
   * New viewers have no control until an admin gives them control. If `default_roles` is not set, they
   * have no roles until then, and get the default roles together with control.
   * @default false
   */
  control_disable_default?: boolean | undefined;
  /**
   * Roles of new viewers, instead of the default roles. Unknown roles are ignored, with a warning.
   */
  default_roles?: Role[] | undefined;
  /**
   * Elements that accept input only from users with the role `field_masking`: `[{matches: [URL glob, …],
   * selectors: [CSS selector, …]}, …]`.
   */
  field_masking?:
    | {
        /** Globs of addresses, such as *://example.com/*. */
        matches: string[];
        /** CSS selectors. */
        selectors: string[];
      }[]
    | undefined;
  /**
   * Lets programs drive the session. The response then has `cdp_url`, an address for Playwright and
   * Puppeteer. `true` uses the defaults. An object `{keep_alive, hold_seconds, roles, name}` changes
   * them.
   */
  automation?:
    | boolean
    | {
        /**
         * Commands of agents restart the inactive and the offline timeout.
         * @default false
         */
        keep_alive?: boolean | undefined;
        /**
         * Seconds for which an acting command waits while a person has control.
         * @default 30
         */
        hold_seconds?: number | undefined;
        /** Roles of agents, instead of the default roles. */
        roles?: Role[] | undefined;
        /**
         * Name of agents that viewers see.
         * @default Agent
         */
        name?: string | undefined;
      }
    | undefined;
}
