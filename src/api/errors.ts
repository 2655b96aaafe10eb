/** The service refused a request, or could not be reached. */
export class ApiError extends Error {
  constructor(
    /** A stable code, such as `err_invalid_parameter`. `err_unreachable` if the service did not answer. */
    readonly code: string,
    /** A sentence for people with the problem and the solution. */
    message: string,
    /** The HTTP status. 0 without an answer. */
    readonly status: number,
    /** Seconds after which the same request may succeed, if the service sent them. */
    readonly retryAfter: number | undefined,
    options: { cause?: unknown } = {},
  ) {
    super(message, options);
    this.name = 'ApiError';
  }
}
