/** First sentence of the message of `err_too_many_requests`, by the kind of request. */
const TOO_MANY = {
  sessions: 'Sessions are created too fast with this key.',
  connections: 'Programs connect to this session too often. Keep one connection open for all commands.',
  requests: 'Too many requests to this session came with this credential.',
  reads: 'Too many requests for this recording came from this address.',
} as const;

/**
 * Table of all errors that the service returns: the code for programs, the HTTP status, and the sentence that
 * tells the caller what to do. Codes are part of the public API and never change their meaning.
 */
const ERRORS = {
  err_bad_request: { status: 400, message: (problem: string) => problem },
  err_invalid_json: {
    status: 400,
    message: () => 'The body is not valid JSON. Send a JSON object, or no body at all.',
  },
  err_invalid_parameter: {
    status: 400,
    message: (field: string, expected: string) => `${field} must be ${expected}.`,
  },
  err_exceeded_vm_limit: {
    status: 400,
    message: (limit: number, whose = 'this service', variable = 'MAX_SESSIONS') =>
      `All ${limit} sessions that ${whose} may run are in use. End one and try again, or increase ${variable}.`,
  },
  err_region_unavailable: {
    status: 400,
    message: (asked: string, served: string) =>
      `This service runs no sessions in ${asked}. It serves ${served}. Omit region, or use another service.`,
  },
  err_invalid_extension: {
    status: 400,
    message: (problem: string) => `The extension cannot be installed: ${problem}`,
  },
  err_session_terminated: {
    status: 400,
    message: (cause?: string) => `This session has ended${cause ? `: ${cause}` : ''}. Create a new one.`,
  },
  err_unauthenticated: {
    status: 401,
    message: () =>
      'The credential is missing or wrong, or its token has expired or was revoked. Send the header "Authorization: Bearer <credential>".',
  },
  err_unauthorized_viewer: {
    status: 401,
    message: () => 'This address does not open a session. Use the embed_url exactly as it was issued.',
  },
  err_token_scope: {
    status: 403,
    message: (scope: string, needed: string) =>
      `This token has the scope ${scope}. The request needs a token with the scope ${needed}.`,
  },
  err_too_many_tokens: {
    status: 409,
    message: (limit: number, owner: 'session' | 'recording' = 'session') =>
      `This ${owner} has ${limit} valid tokens, the maximum. Revoke one, or wait until one expires.`,
  },
  err_start_address: {
    status: 403,
    message: () =>
      'This address was used before, or is from another run of the service. Open the newest address in the terminal of the service, or enter the API key shown there.',
  },
  err_foreign_page: {
    status: 403,
    message: () =>
      'Pages may not drive sessions. Connect from a program that sends no Origin header, or ask the operator of the service to list the origin.',
  },
  err_no_automation: {
    status: 409,
    message: () => 'This session was created without "automation". Create one with "automation": true.',
  },
  err_not_found: { status: 404, message: (what: string) => `There is no ${what}.` },
  err_method_not_allowed: {
    status: 405,
    message: (method: string, allowed: string) => `${method} is not possible here. Allowed: ${allowed}.`,
  },
  err_body_too_large: {
    status: 413,
    message: (bytes: number) => `The body is too large. It may have at most ${bytes} bytes.`,
  },
  err_unsupported_media_type: {
    status: 415,
    message: () => 'Multipart bodies are not accepted here. Send the parameters as a JSON object.',
  },
  err_range: {
    status: 416,
    message: (size: number) => `The file has ${size} bytes. Request a range that begins before its end.`,
  },
  err_too_many_requests: {
    status: 429,
    message: (seconds: number, what: keyof typeof TOO_MANY = 'sessions') =>
      `${TOO_MANY[what]} Try again in ${inSeconds(seconds)}.`,
  },
  err_too_many_attempts: {
    status: 429,
    message: (seconds: number) =>
      `Too many wrong credentials came from this address. Try again in ${inSeconds(seconds)}.`,
  },
  err_profile_not_found: {
    status: 400,
    message: (id: string) =>
      `There is no profile ${id}. A profile exists once a session that saves it has ended.`,
  },
  err_profile_in_use: {
    status: 409,
    message: (id: string, holder: 'session' | 'left' = 'session') =>
      holder === 'left'
        ? `An unreachable machine has newer data of the profile ${id}. Try again when the machine is back, or let an operator discard the newer data.`
        : `The profile ${id} is in use: a session writes it, or its data is being saved. Try again after that.`,
  },
  err_profile_not_saved: {
    status: 507,
    message: () =>
      'The session has ended, but its profile was not saved. The log of the service contains the reason. If the disk was full, the service tries again.',
  },
  err_profile_unreadable: {
    status: 400,
    message: (id: string) =>
      `The profile ${id} cannot be loaded: it is damaged, or encrypted with another key. Start the session without it.`,
  },
  err_recording_unreadable: {
    status: 500,
    message: (id: string) =>
      `The recording ${id} cannot be read: it is damaged, or encrypted with another key. Start the service with the PROFILE_KEY that was in use during the recording.`,
  },
  err_no_ring: {
    status: 409,
    message: () =>
      'This session keeps no last seconds in memory. Create the session with record: {"ring": 60}, or start a recording.',
  },
  err_recording_running: {
    status: 409,
    message: (what: 'recording' | 'last seconds' = 'recording') =>
      what === 'recording'
        ? 'This session is being recorded. Stop the recording first.'
        : 'The last seconds of this session are being saved. Try again in a moment.',
  },
  err_recordings_full: {
    status: 507,
    message: (mb: number) =>
      `All ${mb} MB for recordings are in use. Delete recordings, or increase RECORDINGS_MB.`,
  },
  err_recording_store: {
    status: 503,
    message: (mb: number) =>
      `The store of recordings does not accept files, and the ${mb} MB for waiting recordings are in use. Check RECORDINGS_URL and the store, then try again.`,
  },
  err_internal: { status: 500, message: () => 'The service failed. Its log contains the error. Try again.' },
  err_session_failed: {
    status: 503,
    message: (problem: string) => `The session could not be started: ${problem} Try again.`,
  },
  err_cannot_start: {
    status: 503,
    message: () =>
      'Sessions do not start on this machine. Its log contains the reason, and "cloud-browser --check" lists missing parts. The machine tries again by itself.',
  },
  err_busy: {
    status: 503,
    message: (seconds: number) =>
      `No machine of this service has room for the session. Try again in ${inSeconds(seconds)}.`,
  },
  err_tag_busy: {
    status: 503,
    message: (seconds: number, state: 'unreachable' | 'ending' = 'unreachable') =>
      state === 'ending'
        ? `The session with this tag is still ending. Try again in ${inSeconds(seconds)}.`
        : `A session with this tag may be running on a machine that does not answer. Try again in ${inSeconds(seconds)}.`,
  },
  err_database: {
    status: 503,
    message: (seconds: number, consequence = 'no session can be created') =>
      `The database of this service cannot be reached, so ${consequence}. Running sessions continue. Try again in ${inSeconds(seconds)}.`,
  },
  err_no_thumbnail: {
    status: 503,
    message: () => 'The picture of the recording could not be read now. Try again, or choose another time.',
  },
  err_unavailable: { status: 503, message: () => 'The service is shutting down. Try again in a moment.' },
  err_node_unreachable: {
    status: 503,
    message: (seconds: number) =>
      `The machine that runs this session does not answer. Try again in ${inSeconds(seconds)}.`,
  },
  err_storage: {
    status: 503,
    message: () =>
      'The service cannot write its files: its disk is full, read-only or failing. Free some space. The service then continues by itself.',
  },
  err_not_built: {
    status: 503,
    message: (page: string) => `The ${page} page is not built. Run "npm run build" and reload.`,
  },
} as const;

function inSeconds(seconds: number): string {
  return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
}

/** A stable name for one kind of error. */
export type ErrorCode = keyof typeof ERRORS;

/** Every {@link ErrorCode}. */
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

/**
 * HTTP statuses of temporary errors. If the first detail (argument of the message) of such an error is a
 * number, it becomes `Retry-After`.
 */
const WAITS = new Set([429, 503]);

/** `Retry-After` in seconds of temporary errors whose first detail is not a waiting time. */
const USUAL_WAITS: Partial<Record<ErrorCode, number>> = {
  err_session_failed: 5,
  err_cannot_start: 10,
  err_no_thumbnail: 2,
  // The service is shutting down. A new process usually replaces it soon.
  err_unavailable: 2,
  err_storage: 10,
  err_recording_store: 60,
  err_not_built: 60,
};

type Details<C extends ErrorCode> = Parameters<(typeof ERRORS)[C]['message']>;

/** Returns the error for an invalid field. `expected` is the end of the message, after "must be". */
export function invalidParameter(field: string, expected: string): ServiceError {
  return new ServiceError('err_invalid_parameter', field, expected);
}

/** Seconds after which an unavailable database may be back. */
const DATABASE_RETRY_SECONDS = 2;

/**
 * Returns the error for a request that needs an unavailable database. `consequence` follows "so" in the
 * message. Without `consequence`, the message says that no session can be created.
 */
export function databaseAway(consequence?: string): ServiceError {
  return new ServiceError('err_database', DATABASE_RETRY_SECONDS, consequence);
}

/**
 * An error whose text callers receive unchanged. Never put a token or a path of the machine into its details.
 */
export class ServiceError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: ErrorCode;
  /** HTTP status of {@link code}. */
  readonly status: number;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined;

  constructor(code: C, ...details: Details<C>) {
    const build = ERRORS[code].message as (...details: unknown[]) => string;
    super(build(...details));
    this.name = 'ServiceError';
    this.code = code;
    this.status = ERRORS[code].status;
    const [seconds] = details as readonly unknown[];
    const told = typeof seconds === 'number' && WAITS.has(this.status) ? seconds : undefined;
    this.retryAfter = USUAL_WAITS[code] ?? told;
  }

  /** Returns the error that another node of this service sent, so that the caller receives it unchanged. */
  static toldBy(body: { code: ErrorCode; message: string }, retryAfter: number | undefined): ServiceError {
    const { code, message } = body;
    return Object.assign(new ServiceError('err_internal'), {
      ...{ code, message, retryAfter },
      status: ERRORS[code].status,
    });
  }

  /** Body for callers, sent as JSON. */
  get body(): { code: string; message: string } {
    return { code: this.code, message: this.message };
  }

  /**
   * The whole HTTP response as text, for a raw socket. The caller must close the connection after the
   * response.
   */
  get rawAnswer(): string {
    const body = JSON.stringify(this.body);
    const retry = this.retryAfter === undefined ? '' : `Retry-After: ${this.retryAfter}\r\n`;
    return `HTTP/1.1 ${this.status} Refused\r\n${retry}Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
  }
}
