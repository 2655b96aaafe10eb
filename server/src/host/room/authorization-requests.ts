import type { AuthorizationAnswer, AuthorizationRequest } from '../../host-protocol.js';

/** Asks the service about users. The answers arrive at {@link AuthorizationRequests.answered}. */
export class AuthorizationRequests {
  readonly #waiting = new Map<number, (answer: AuthorizationAnswer) => void>();
  #lastRequest = 0;

  constructor(private readonly send: (request: AuthorizationRequest) => void) {}

  /** Resolves to the service's answer. The service always answers within seconds. */
  ask(user: Omit<AuthorizationRequest, 'request'>): Promise<AuthorizationAnswer> {
    const request = ++this.#lastRequest;
    return new Promise((resolve) => {
      this.#waiting.set(request, resolve);
      this.send({ request, ...user });
    });
  }

  answered(request: number, answer: AuthorizationAnswer): void {
    this.#waiting.get(request)?.(answer);
    this.#waiting.delete(request);
  }
}
