/** Answer of the backend about the session. */
export interface SessionAnswer {
  embedUrl: string;
}

/** Requests the session from the backend. */
export async function fetchSession(): Promise<string> {
  const response = await fetch('/api/session', { method: 'POST' });
  if (!response.ok) throw new Error(`The backend answered ${response.status}.`);
  const { embedUrl } = (await response.json()) as SessionAnswer;
  return embedUrl;
}
