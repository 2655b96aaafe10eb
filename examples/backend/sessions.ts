import { ApiError, CloudBrowserApi, type SessionCreated } from 'cloud-browser/api';

/** Keeps one session for all visitors: a room where everyone sees the same browser. */
export class Room {
  readonly #api: CloudBrowserApi;
  readonly #startUrl: string;
  #session: Promise<SessionCreated> | undefined;

  constructor(baseUrl: string, apiKey: string, startUrl: string) {
    this.#api = new CloudBrowserApi({ baseUrl, apiKey });
    this.#startUrl = startUrl;
  }

  /** Returns the session, or a new one if the last one is over. Rejects with an `ApiError`. */
  async session(): Promise<SessionCreated> {
    const known = (this.#session ??= this.#create());
    const session = await known;
    if (await this.#isRunning(session)) return session;
    // Another visitor may have started the next session meanwhile.
    if (this.#session === known) this.#session = undefined;
    return (this.#session ??= this.#create());
  }

  async #isRunning({ session_id: id }: SessionCreated): Promise<boolean> {
    try {
      return (await this.#api.getSession(id)).termination_date === null;
    } catch (error) {
      // The service removes the record some time after the end.
      if (error instanceof ApiError && error.status === 404) return false;
      throw error;
    }
  }

  async #create(): Promise<SessionCreated> {
    try {
      return await this.#api.createSession({
        start_url: this.#startUrl,
        width: 640,
        height: 360,
        timeout: { offline: 60 },
      });
    } catch (error) {
      this.#session = undefined;
      throw error;
    }
  }
}
