import { isUserdata, type Userdata } from '../protocol/index.js';
import { runtime } from './fetch.js';
import type { RecordingEndReason } from './recordings.js';

/** A request of the service to the endpoint that authorizes viewers. */
export interface AuthorizationQuestion {
  /** The viewer's user id, chosen by the service. */
  user_id: string;
  /** Data that the page passed to the viewer. */
  userdata: Userdata;
}

/** The endpoint's answer, with the status 200. */
export interface AuthorizationAnswer {
  authorized: boolean;
  /** Permissions of this user, instead of the session's defaults. */
  permissions?: {
    priority?: number;
    /** Milliseconds without input after which the user no longer blocks other users. */
    idle_timeout?: number;
    control_disabled?: boolean;
  };
}

/** An event of a session. */
export type SessionEvent =
  | {
      session_id: string;
      /**
       * The reason for the end of the session. `absolute`, `inactive`, `offline`: a time limit.
       * `resource_limit`: the session exceeded its limit of memory, processes or disk. `shutdown`: the
       * service was shut down. `superseded`: the session's machine did not respond, and another session with
       * the same tag has started. `cut_off`: the session's machine lost contact with the cluster.
       * `taken_over`: the session's machine did not respond, and another process took over its name.
       */
      type:
        | 'absolute'
        | 'inactive'
        | 'offline'
        | 'resource_limit'
        | 'shutdown'
        | 'superseded'
        | 'cut_off'
        | 'taken_over';
    }
  | {
      session_id: string;
      /**
       * The profile of the session was not saved. If `final` is true, the data is lost. Otherwise the service
       * tries again.
       */
      type: 'profile_save_failed';
      profile: string;
      final: boolean;
      /**
       * `failed`: saving failed, and the service will retry. `too_large`: the profile is above the size
       * limit. `lost`: the disk of the session's machine is lost. `given_up`: an operator has discarded the
       * profile.
       */
      cause: 'failed' | 'too_large' | 'lost' | 'given_up';
    }
  | {
      session_id: string;
      type: 'warning';
      timeout: 'absolute' | 'inactive' | 'offline' | 'shutdown';
      /** Seconds until the end. */
      delay: number;
    }
  | {
      session_id: string;
      /** An agent asks for the help of a person (a hand-off). */
      type: 'handoff.requested';
      handoff: HandoffDetails;
    }
  | {
      session_id: string;
      /** A hand-off has ended. */
      type: 'handoff.finished';
      handoff: HandoffDetails & {
        /**
         * `done`, `refused`: a person answered. `timeout`: no person answered in time. `withdrawn`: the
         * hand-off is not needed any more.
         */
        outcome: 'done' | 'refused' | 'timeout' | 'withdrawn';
        /** Text of the person who answered. Empty if there is none. */
        note: string;
        answered_by: string | null;
      };
    }
  | {
      session_id: string;
      /**
       * `recording.ready`: the recording is complete and can be read. `recording.failed`: it has no video.
       */
      type: 'recording.ready' | 'recording.failed';
      recording_id: string;
      /** Length of the video. */
      seconds: number;
      bytes: number;
      end: RecordingEndReason | null;
    };

/** A hand-off in an event. */
export interface HandoffDetails {
  id: string;
  /** Name of the agent. */
  name: string;
  /** User id of the agent that waits. Null if all agents of the session wait. */
  agent: string | null;
  instructions: string;
  /** RFC 3339, UTC. */
  expires_at: string;
}

/** Headers as in `Request.headers`, or as in Node's `request.headers`. */
export type HeaderSource =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The request does not come from the service, or is invalid. Answer it with the status 401. */
export class WebhookVerificationError extends Error {
  readonly code = 'err_webhook_verification';

  constructor(message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
  }
}

/**
 * Returns the authorization request of a verified HTTP request. `body`: text, its bytes, or the parsed body
 * of a framework. Throws {@link WebhookVerificationError}.
 */
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

/**
 * Returns the event of a verified request. `body`: text, its bytes, or the parsed body of a framework. Throws
 * {@link WebhookVerificationError}.
 */
export function readEvent(headers: HeaderSource, body: unknown, bearer: string): SessionEvent {
  const fields = verified(headers, body, bearer);
  if (typeof fields['session_id'] !== 'string' || typeof fields['type'] !== 'string') throw unreadable();
  return fields as unknown as SessionEvent;
}

/**
 * True if a request has the bearer token that was set when the session was created. Compares in constant
 * time.
 */
export function hasBearer(headers: HeaderSource, bearer: string): boolean {
  // Without this check, a program in JavaScript that passes undefined would accept "Bearer undefined".
  return isSet(bearer) && sameText(header(headers, 'authorization'), `Bearer ${bearer}`);
}

function verified(headers: HeaderSource, body: unknown, bearer: string): Record<string, unknown> {
  if (!isSet(bearer))
    throw new WebhookVerificationError(
      'The program passes no bearer. Pass the bearer that the session was created with.',
    );
  if (!hasBearer(headers, bearer)) throw new WebhookVerificationError('The bearer is missing or wrong.');
  const text = body instanceof Uint8Array ? textOf(body) : body;
  let value: unknown;
  try {
    value = typeof text === 'string' ? JSON.parse(text) : text;
  } catch {
    throw unreadable();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable();
  return value as Record<string, unknown>;
}

function isSet(bearer: unknown): boolean {
  return typeof bearer === 'string' && bearer !== '';
}

function textOf(bytes: Uint8Array): string {
  const { TextDecoder } = runtime();
  if (!TextDecoder) throw new TypeError('This runtime has no TextDecoder, which bytes need.');
  return new TextDecoder().decode(bytes);
}

function header(headers: HeaderSource, name: string): string {
  if (typeof headers['get'] === 'function') return headers.get(name) ?? '';
  const value = (headers as Readonly<Record<string, string | readonly string[] | undefined>>)[name];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}

/**
 * Returns true if two texts are equal. Compares every character of `secret`, so that the time does not depend
 * on the position of the first difference.
 */
function sameText(candidate: string, secret: string): boolean {
  let difference = candidate.length ^ secret.length;
  for (let index = 0; index < secret.length; index++) {
    difference |= secret.charCodeAt(index) ^ candidate.charCodeAt(index % (candidate.length || 1));
  }
  return difference === 0;
}

function unreadable(): WebhookVerificationError {
  return new WebhookVerificationError('The body does not have the form that the service sends.');
}
