import { ApiError, createSession, endSession, isRunning, type Session, type SessionRequest } from '../api.js';
import { ApiKey } from '../api-key.js';

const STORED = 'cloud-browser-demo.session';

/** The session of this tab. A reload of the page returns to it. */
export interface SavedSession {
  session: Session;
  request: SessionRequest;
  /** Time of the request in milliseconds since 1970. */
  askedAt: number;
  /** Milliseconds from the request to the first picture on the page. Absent before that. */
  firstPictureIn?: number;
}

/** Message for a session that its visitor ended. */
export const ENDED_HERE = 'The session is over. Nothing of it is left on the server.';

/** Message for a session that its visitor ended, and that was recorded. */
export const ENDED_RECORDED = 'The session is over. Only its recording is left on the server.';

/**
 * Creates, keeps and ends the one session of this tab, with the visitor's key. All pages of the demo share
 * it.
 */
export class SessionKeeper {
  readonly #key = new ApiKey();

  /** Creates a session. Resolves to undefined if the visitor gives no key. */
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

  /** Returns the session that this tab showed before a reload, unless it is over. */
  async resume(): Promise<SavedSession | undefined> {
    const saved = stored();
    if (!saved) return undefined;
    const isOver = await this.#isOver(saved);
    // The visitor may have started another session meanwhile.
    if (stored()?.session.session_id !== saved.session.session_id) return undefined;
    if (!isOver) return saved;
    this.forget();
    return undefined;
  }

  /** Ends a session on the server. Returns false if there is no key for it. */
  async end({ session }: SavedSession): Promise<boolean> {
    const key = await this.#key.get();
    if (key === null) return false;
    await endSession(key, session.session_id);
    return true;
  }

  /** Returns true if the service answers that a session is over, or refuses to answer. */
  async #isOver({ session }: SavedSession): Promise<boolean> {
    try {
      const key = await this.#key.get();
      return key === null || !(await isRunning(key, session.session_id));
    } catch (error) {
      // While the service cannot answer, the session may run. Its element tries to connect.
      const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
      return refused && error.status !== 429;
    }
  }

  save(saved: SavedSession): void {
    sessionStorage.setItem(STORED, JSON.stringify(saved));
  }

  /** Forgets the session after its end, so that a reload starts a new one. */
  forget(): void {
    sessionStorage.removeItem(STORED);
  }
}

/** Returns the message of an error for the user. */
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
