/** The service refused a request, or could not be reached. */
export class ApiError extends Error {
  constructor(
    /** Stable, such as `err_invalid_parameter`; `err_unreachable` when there was no answer of the service. */
    readonly code: string,
    /** For people: what is wrong and what to do. */
    message: string,
    /** The HTTP status; 0 when there was no answer. */
    readonly status: number,
    /** Seconds after which the same request may be granted, when the service says so. */
    readonly retryAfter: number | undefined,
    options: { cause?: unknown } = {},
  ) {
    super(message, options);
    this.name = 'ApiError';
  }
}
