import { isUserdata, type Userdata } from '../protocol/index.js';

/** A request of the service to the endpoint that decides about viewers. */
export interface AuthorizationQuestion {
  /** Who wants to come in; given by the service. */
  user_id: string;
  /** What the page passed to the viewer. */
  userdata: Userdata;
}

/** What such an endpoint answers, with the status 200. */
export interface AuthorizationAnswer {
  authorized: boolean;
  /** What this user may do, beyond the session's defaults. */
  permissions?: {
    priority?: number;
    /** Milliseconds without input after which the user pre-empts nobody. */
    idle_timeout?: number;
    control_disabled?: boolean;
  };
}

/** An event of a session. */
export type SessionEvent =
  | {
      session_id: string;
      /** A limit in time ended the session; `resource_limit`: it used more than it may; `shutdown`: the service was stopped. */
      type: 'absolute' | 'inactive' | 'offline' | 'resource_limit' | 'shutdown';
    }
  | {
      session_id: string;
      /** What the session left was not saved. `final`: it never will be; otherwise it is tried again. */
      type: 'profile_save_failed';
      profile: string;
      final: boolean;
    }
  | {
      session_id: string;
      type: 'warning';
      timeout: 'absolute' | 'inactive' | 'offline' | 'shutdown';
      /** Seconds until the end. */
      delay: number;
    };

/** Headers as `Request.headers`, or as Node's `request.headers`. */
export type HeaderSource =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The request does not come from the service, or cannot be understood. Answer it with the status 401. */
export class WebhookVerificationError extends Error {
  readonly code = 'err_webhook_verification';

  constructor(message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
  }
}

/** The question of a verified request. `body`: text, or what a framework parsed. Throws {@link WebhookVerificationError}. */
export function readAuthorization(
  headers: HeaderSource,
  body: unknown,
  bearer: string,
): AuthorizationQuestion {
  const fields = verified(headers, body, bearer);
  const { user_id: userId, userdata } = fields;
  if (typeof userId !== 'string' || !isUserdata(userdata)) throw unreadable();
  return { user_id: userId, userdata: userdata };
}

/** The event of a verified request. `body`: text, or what a framework parsed. Throws {@link WebhookVerificationError}. */
export function readEvent(headers: HeaderSource, body: unknown, bearer: string): SessionEvent {
  const fields = verified(headers, body, bearer);
  if (typeof fields['session_id'] !== 'string' || typeof fields['type'] !== 'string') throw unreadable();
  return fields as unknown as SessionEvent;
}

/** Whether a request carries the bearer that was given when the session was created. Takes the same time for any wrong one. */
export function hasBearer(headers: HeaderSource, bearer: string): boolean {
  return sameText(header(headers, 'authorization'), `Bearer ${bearer}`);
}

function verified(headers: HeaderSource, body: unknown, bearer: string): Record<string, unknown> {
  if (!hasBearer(headers, bearer)) throw new WebhookVerificationError('The bearer is missing or wrong.');
  let value = body;
  try {
    if (typeof body === 'string') value = JSON.parse(body);
  } catch {
    throw unreadable();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable();
  return value as Record<string, unknown>;
}

function header(headers: HeaderSource, name: string): string {
  if (typeof headers['get'] === 'function') return headers.get(name) ?? '';
  const value = (headers as Readonly<Record<string, string | readonly string[] | undefined>>)[name];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}

/** Looks at every character, wherever the first difference is. */
function sameText(candidate: string, secret: string): boolean {
  let difference = candidate.length ^ secret.length;
  for (let index = 0; index < secret.length; index++) {
    difference |= secret.charCodeAt(index) ^ candidate.charCodeAt(index % (candidate.length || 1));
  }
  return difference === 0;
}

function unreadable(): WebhookVerificationError {
  return new WebhookVerificationError('The body is not one that the service sends.');
}
