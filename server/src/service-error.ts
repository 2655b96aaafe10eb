/**
 * Everything the service refuses, in one table: the code that a program reads, the HTTP status, and the sentence that
 * tells a person what to do. Codes are part of the public API and never change their meaning.
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
      `All ${limit} sessions that ${whose} may run are in use. End one and try again, or raise ${variable}.`,
  },
  err_region_unavailable: {
    status: 400,
    message: (asked: string, served: string) =>
      `This service runs no sessions in ${asked}. It serves ${served}; leave region out, or ask another service.`,
  },
  err_invalid_extension: {
    status: 400,
    message: (problem: string) => `The extension cannot be installed: ${problem}`,
  },
  err_session_terminated: { status: 400, message: () => 'This session has ended. Create a new one.' },
  err_unauthenticated: {
    status: 401,
    message: () =>
      'The credential is missing or wrong. Send the header "Authorization: Bearer <credential>".',
  },
  err_unauthorized_viewer: {
    status: 401,
    message: () => 'This address does not open a session. Use the embed_url exactly as it was issued.',
  },
  err_start_address: {
    status: 403,
    message: () =>
      'This address was used before, or belongs to another run of the service. Open the newest one on its terminal, or enter the API key shown there.',
  },
  err_not_found: { status: 404, message: (what: string) => `There is no ${what}.` },
  err_method_not_allowed: {
    status: 405,
    message: (method: string, allowed: string) => `${method} is not possible here. Allowed: ${allowed}.`,
  },
  err_body_too_large: {
    status: 413,
    message: (bytes: number) => `The body is too large. It may have ${bytes} bytes at most.`,
  },
  err_unsupported_media_type: {
    status: 415,
    message: () => 'Multipart bodies are not accepted here. Send the parameters as a JSON object.',
  },
  err_too_many_requests: {
    status: 429,
    message: (seconds: number) =>
      `Sessions are created too fast with this key. Try again in ${inSeconds(seconds)}.`,
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
    message: (id: string) =>
      `The profile ${id} is being written: by a session that has to end first, or by one whose profile is being saved. Try again then.`,
  },
  err_profile_not_saved: {
    status: 507,
    message: () =>
      'The session has ended, but its profile was not saved. The log of the service says why; a full disk is tried again.',
  },
  err_profile_unreadable: {
    status: 400,
    message: (id: string) =>
      `The profile ${id} is damaged, or was made with another key, and cannot be loaded. Start without it.`,
  },
  err_internal: { status: 500, message: () => 'The service failed. Its log says more; try again.' },
  err_session_failed: {
    status: 503,
    message: (problem: string) => `The session could not be started: ${problem} Try again.`,
  },
  err_busy: {
    status: 503,
    message: (seconds: number) =>
      `No machine of this service has room for the session. Try again in ${inSeconds(seconds)}.`,
  },
  err_tag_busy: {
    status: 503,
    message: (seconds: number) =>
      `A session with this tag may be running on a machine that does not answer. Try again in ${inSeconds(seconds)}.`,
  },
  err_database: {
    status: 503,
    message: (seconds: number) =>
      `The database of this service cannot be reached, so no session can be created. Sessions that run go on. Try again in ${inSeconds(seconds)}.`,
  },
  err_unavailable: { status: 503, message: () => 'The service is shutting down. Try again in a moment.' },
  err_node_unreachable: {
    status: 503,
    message: (seconds: number) =>
      `The machine that runs this session does not answer. It may come back; try again in ${inSeconds(seconds)}.`,
  },
  err_storage: {
    status: 503,
    message: () =>
      'The service cannot write its files: its disk is full, read-only or failing. Free some space; it goes on by itself.',
  },
  err_not_built: {
    status: 503,
    message: (page: string) => `The ${page} page is not built. Run "npm run build" and reload.`,
  },
} as const;

function inSeconds(seconds: number): string {
  return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
}

/** A stable name for one kind of refusal. */
export type ErrorCode = keyof typeof ERRORS;

/** Every {@link ErrorCode}. */
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

/** Statuses of refusals that end by themselves; the first detail of such a one, where it is a number, is in how many seconds. */
const WAITS = new Set([429, 503]);

/** When another process has taken the place of one that ends. */
const ANOTHER_SECONDS = 2;

type Details<C extends ErrorCode> = Parameters<(typeof ERRORS)[C]['message']>;

/** The refusal of a request's field; `expected` follows "must be". */
export function invalidParameter(field: string, expected: string): ServiceError {
  return new ServiceError('err_invalid_parameter', field, expected);
}

/** When a database that was away may be there again. */
const DATABASE_RETRY_SECONDS = 2;

/** The refusal of what takes a database that is away. */
export function databaseAway(): ServiceError {
  return new ServiceError('err_database', DATABASE_RETRY_SECONDS);
}

/** A refusal that callers are told about, word for word. Never put a token or a path of the machine into its details. */
export class ServiceError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: ErrorCode;
  /** The HTTP status that goes with {@link code}. */
  readonly status: number;
  /** Seconds after which the same request may be granted. */
  readonly retryAfter: number | undefined;

  constructor(code: C, ...details: Details<C>) {
    const build = ERRORS[code].message as (...details: unknown[]) => string;
    super(build(...details));
    this.name = 'ServiceError';
    this.code = code;
    this.status = ERRORS[code].status;
    const [seconds] = details as readonly unknown[];
    const told = typeof seconds === 'number' && WAITS.has(this.status) ? seconds : undefined;
    this.retryAfter = code === 'err_unavailable' ? ANOTHER_SECONDS : told;
  }

  /** A refusal that another node of this service has told, to be told on. */
  static toldBy(body: { code: ErrorCode; message: string }, retryAfter: number | undefined): ServiceError {
    const { code, message } = body;
    return Object.assign(new ServiceError('err_internal'), {
      ...{ code, message, retryAfter },
      status: ERRORS[code].status,
    });
  }

  /** What callers are told, as JSON. */
  get body(): { code: string; message: string } {
    return { code: this.code, message: this.message };
  }

  /** The whole HTTP answer, for a socket that no framework writes to; the connection is to end after it. */
  get rawAnswer(): string {
    const body = JSON.stringify(this.body);
    return `HTTP/1.1 ${this.status} Refused\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
  }
}
