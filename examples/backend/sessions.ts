import { CloudBrowserApi, type SessionCreated } from 'cloud-browser/api';

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
    const session = await (this.#session ??= this.#create());
    const { termination_date: ended } = await this.#api.getSession(session.session_id);
    if (ended === null) return session;
    return (this.#session = this.#create());
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
