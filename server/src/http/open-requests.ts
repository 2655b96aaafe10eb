import type { FastifyInstance } from 'fastify';

/** Requests that are being answered. The service waits for them before it ends. */
export class OpenRequests {
  #count = 0;
  #closing = false;
  #whenNone: () => void = () => undefined;

  /** Counts the requests of an app. */
  watch(app: FastifyInstance): void {
    app.addHook('onRequest', (_request, reply, done) => {
      this.#count += 1;
      // Node emits `close` also if the answer was interrupted, and if another node has answered.
      reply.raw.once('close', () => this.#answered());
      if (this.#closing) reply.header('connection', 'close');
      done();
    });
  }

  /**
   * After this call, the service closes the connection of each new request after the answer. Resolves when
   * all requests are answered.
   */
  async settled(): Promise<void> {
    this.#closing = true;
    if (this.#count > 0) await new Promise<void>((resolve) => (this.#whenNone = resolve));
  }

  #answered(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#whenNone();
  }
}
