import { ask } from '../cluster/support/customer.js';
import { KEY } from '../cluster/support/nodes.js';
import { until } from '../walk/deadline.js';

/** Milliseconds for a busy machine. */
const LIMIT_MS = 60_000;

/** A recording in the service's answer. */
export interface RecordingAnswer {
  id: string;
  state: string;
  end: string | null;
  seconds: number;
  bytes: number;
}

/** Returns the newest recording of a session. Undefined if there is none. */
export async function recordingOf(base: string, session: string): Promise<RecordingAnswer | undefined> {
  const { body } = await ask(base, 'GET', `/v0/recordings?session=${session}`);
  return (body as { results: RecordingAnswer[] }).results[0];
}

/** Resolves when the newest recording of a session has one of these states. */
export function recordingIn(
  base: string,
  session: string,
  ...states: readonly string[]
): Promise<RecordingAnswer> {
  return until(`the recording is ${states.join(' or ')}`, LIMIT_MS, async () => {
    const found = await recordingOf(base, session);
    return found && states.includes(found.state) ? found : undefined;
  });
}

/** Fetches a file of a recording. */
export async function fetchRecording(
  base: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; content: Buffer }> {
  const response = await fetch(`${base}/v0/recordings/${path}`, {
    headers: { authorization: `Bearer ${KEY}`, ...headers },
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  return { status: response.status, content: Buffer.from(await response.arrayBuffer()) };
}
