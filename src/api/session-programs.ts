import type {
  ComputerMethod,
  ComputerResult,
  HandoffOutcome,
  HandoffRequest,
  ScreenshotOptions,
} from '../protocol/index.js';
import type { ComputerOptions } from './computer-options.js';
import type { Recording, RecordingSettings, RingRecording } from './recordings.js';
import { encoded, query, type RequestsAt } from './requests.js';

/** A hand-off: a request for the help of a person, and its answer. Dates are RFC 3339 in UTC. */
export interface HandoffView {
  id: string;
  /** User id of the agent that waits. Null if all agents of the session wait. */
  agent: string | null;
  name: string;
  instructions: string;
  requested_at: string;
  expires_at: string;
  /** Null while the hand-off waits for an answer. */
  outcome: HandoffOutcome | null;
  /** Text of the person who answered. Empty if there is none. */
  note: string;
  /** Id of the user who answered. Null if no user did. */
  answered_by: string | null;
}

/** A file that was sent to a session. */
export interface SessionUpload {
  id: string;
  name: string;
  /** Bytes. */
  size: number;
}

/** The options of a method, as arguments. They can be omitted if no option is required. */
type OptionsOf<Method extends ComputerMethod> = object extends ComputerOptions[Method]
  ? [options?: ComputerOptions[Method]]
  : [options: ComputerOptions[Method]];

/**
 * Returns methods for one session: to use its browser, to ask for a person, and to record.
 *
 * @param at sends requests to the address of the session
 */
export function sessionPrograms(at: RequestsAt) {
  return {
    /**
     * Calls a method of computer use: `computer('click', { ref: 'e12' })`. Needs a session with `automation`.
     * While a person has control, methods that act on the browser wait, for at most
     * `automation.hold_seconds`.
     */
    computer: <Method extends ComputerMethod>(method: Method, ...[options]: OptionsOf<Method>) =>
      at.post<ComputerResult<Method>>(`/computer/${method}`, options),
    /** Returns a picture of the screen: PNG, or the `format` of the options. */
    screenshot: ({ region, ...options }: ScreenshotOptions = {}) => {
      const part = region && [region.x, region.y, region.width, region.height].join(',');
      return at.bytes(`/screenshot${query({ ...options, region: part })}`);
    },
    /** Returns the bytes of a finished download. `computer('files')` lists the downloads. */
    download: (id: string) => at.bytes(`/downloads/${encoded(id)}`),
    /** Removes a download. */
    removeDownload: (id: string) => at.delete<{ id: string }>(`/downloads/${encoded(id)}`),
    /** Sends a file to the session. Then `computer('choose', { files: [id] })` gives the file to a page. */
    upload: (name: string, bytes: Uint8Array) =>
      at.send<SessionUpload>(`/uploads${query({ name })}`, bytes, 'application/octet-stream'),
    /** Removes a file that was sent with `upload`. */
    removeUpload: (id: string) => at.delete<{ id: string }>(`/uploads/${encoded(id)}`),
    /** Starts a hand-off. The commands of the agent, or of all agents, wait until the hand-off ends. */
    requestHandoff: (request: HandoffRequest) => at.post<HandoffView>('/handoffs', request),
    /** Returns a hand-off. First waits for its end, but not longer than `wait` seconds (0 to 25). */
    handoff: (id: string, wait = 0) => at.get<HandoffView>(`/handoffs/${encoded(id)}${query({ wait })}`),
    /** Returns the open hand-offs of the session, oldest first. */
    handoffs: async () => (await at.get<{ handoffs: HandoffView[] }>('/handoffs')).handoffs,
    /** Withdraws a hand-off that is not needed any more. */
    withdrawHandoff: (id: string) => at.delete<HandoffView>(`/handoffs/${encoded(id)}`),
    /** Starts a recording. With `{ from: 'ring' }`, resolves to a recording of the last seconds. */
    startRecording: (settings: RecordingSettings | RingRecording = {}) =>
      at.post<Recording>('/recordings', settings),
    /** Stops a recording. */
    stopRecording: (id: string) => at.post<Recording>(`/recordings/${encoded(id)}/stop`),
    /** Adds a marker to a running recording. The marker becomes a chapter of the video. */
    markRecording: (id: string, name: string) =>
      at.post<{ status: 'ok' }>(`/recordings/${encoded(id)}/markers`, { name }),
  };
}
