import type { Session, SessionRequest } from './api.js';

const STORED = 'cloud-browser-demo.session';

/** The session that this tab shows, so that a reload comes back to it instead of leaving it behind. */
export interface SavedSession {
  session: Session;
  wishes: SessionRequest;
  /** Milliseconds from the request to the first picture on the page; missing before that. */
  firstPictureIn?: number;
}

export function saveSession(saved: SavedSession): void {
  sessionStorage.setItem(STORED, JSON.stringify(saved));
}

export function forgetSession(): void {
  sessionStorage.removeItem(STORED);
}

export function savedSession(): SavedSession | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(STORED) ?? 'null') as SavedSession | null) ?? undefined;
  } catch {
    return undefined;
  }
}
