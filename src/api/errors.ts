/** The service refused a request, or could not be reached. */
export class ApiError extends Error {
  constructor(
    /**
     * A stable code, such as `err_invalid_parameter`. `err_unreachable` if there is no valid answer of the
     * service.
     */
    readonly code: string,
    /** A sentence for people. It names the problem and the solution. */
    message: string,
    /** The HTTP status. 0 if no complete answer arrived. */
    readonly status: number,
    /** Seconds after which the same request may succeed. Undefined if the service did not send this time. */
    readonly retryAfter: number | undefined,
    options: { cause?: unknown } = {},
  ) {
    super(message, options);
    this.name = 'ApiError';
  }
}
