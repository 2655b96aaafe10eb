import type { AuthorizationAnswer, AuthorizationRequest } from '../../host-protocol.js';

/** Sentence for a user whose request could not be sent. */
const NOT_SENT = 'The session could not ask if you may join. Your user data may be nested too deeply.';

/** Asks the service if users may join. The answers arrive at {@link AuthorizationRequests.answered}. */
export class AuthorizationRequests {
  readonly #waiting = new Map<number, (answer: AuthorizationAnswer) => void>();
  #lastRequest = 0;

  constructor(private readonly send: (request: AuthorizationRequest) => void) {}

  /**
   * Resolves to the service's answer. The service always answers within seconds. Denies access if the request
   * cannot be sent: the encoder of the channel throws for user data that is nested thousands of levels deep.
   */
  ask(user: Omit<AuthorizationRequest, 'request'>): Promise<AuthorizationAnswer> {
    const request = ++this.#lastRequest;
    return new Promise((resolve) => {
      this.#waiting.set(request, resolve);
      try {
        this.send({ request, ...user });
      } catch {
        this.answered(request, { granted: false, message: NOT_SENT });
      }
    });
  }

  answered(request: number, answer: AuthorizationAnswer): void {
    this.#waiting.get(request)?.(answer);
    this.#waiting.delete(request);
  }
}
