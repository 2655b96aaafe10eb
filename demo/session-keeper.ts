import { ApiError, createSession, endSession, isRunning, type Session, type SessionRequest } from './api.js';
import { ApiKey } from './api-key.js';

const STORED = 'cloud-browser-demo.session';

/** The session that this tab shows, so that a reload comes back to it instead of leaving it behind. */
export interface SavedSession {
  session: Session;
  request: SessionRequest;
  /** When it was asked for; milliseconds since 1970. */
  askedAt: number;
  /** Milliseconds from the request to the first picture on the page; missing before that. */
  firstPictureIn?: number;
}

/** What a page says of a session that its visitor ended. */
export const ENDED_HERE = 'The session is over. Nothing of it is left on the server.';

/** Makes, keeps and ends the one session of this tab, with the visitor's key. All pages of the demo know the same one. */
export class SessionKeeper {
  readonly #key = new ApiKey();

  /** A new session. Resolves to nothing when the visitor would rather not give a key. */
  async create(request: SessionRequest): Promise<SavedSession | undefined> {
    for (;;) {
      const key = await this.#key.get();
      if (key === null) return undefined;
      const askedAt = Date.now();
      try {
        const saved: SavedSession = { session: await createSession(key, request), request, askedAt };
        this.save(saved);
        return saved;
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 401)) throw error;
        this.#key.forget();
      }
    }
  }

  /** The session that this tab showed before a reload, if it is still there. */
  async resume(): Promise<SavedSession | undefined> {
    const saved = stored();
    if (!saved) return undefined;
    try {
      const key = await this.#key.get();
      if (key !== null && (await isRunning(key, saved.session.session_id))) return saved;
    } catch {
      // A session whose state cannot be read counts as ended.
    }
    this.forget();
    return undefined;
  }

  /** Ends a session on the server. False when there is no key to do it with. */
  async end({ session }: SavedSession): Promise<boolean> {
    const key = await this.#key.get();
    if (key === null) return false;
    await endSession(key, session.session_id);
    return true;
  }

  save(saved: SavedSession): void {
    sessionStorage.setItem(STORED, JSON.stringify(saved));
  }

  /** Forgets the session after its end, so that a reload starts a new one. */
  forget(): void {
    sessionStorage.removeItem(STORED);
  }
}

/** The message of an error for the user. */
export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Try again.';
}

function stored(): SavedSession | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(STORED) ?? 'null') as SavedSession | null) ?? undefined;
  } catch {
    return undefined;
  }
}
