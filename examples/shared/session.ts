/** What the backend tells a page of the session. */
export interface SessionAnswer {
  embedUrl: string;
}

/** Asks the backend for the session. */
export async function fetchSession(): Promise<string> {
  const response = await fetch('/api/session', { method: 'POST' });
  if (!response.ok) throw new Error(`The backend answered ${response.status}.`);
  const { embedUrl } = (await response.json()) as SessionAnswer;
  return embedUrl;
}
