import type {
  ComputerMethod,
  ComputerResult,
  HandoffOutcome,
  HandoffRequest,
  ScreenshotOptions,
} from '../protocol/index.js';
import type { ComputerOptions } from './computer-options.js';
import type { Recording, RecordingSettings, RingRecording } from './recordings.js';
import { query, type RequestsAt } from './requests.js';

/** A request for a person, and its answer. Dates are RFC 3339 in UTC. */
export interface HandoffView {
  id: string;
  /** User id of the agent. Null: all agents of the session wait. */
  agent: string | null;
  name: string;
  instructions: string;
  requested_at: string;
  expires_at: string;
  /** Null while it waits for an answer. */
  outcome: HandoffOutcome | null;
  /** Text of the person who answered. */
  note: string;
  /** User who answered. */
  answered_by: string | null;
}

/** A file that was sent to a session. */
export interface SessionUpload {
  id: string;
  name: string;
  /** Bytes. */
  size: number;
}

/** The options of a method, which can be omitted if no option is required. */
type OptionsOf<Method extends ComputerMethod> = object extends ComputerOptions[Method]
  ? [options?: ComputerOptions[Method]]
  : [options: ComputerOptions[Method]];

/**
 * Returns the methods of a session that use its browser, ask for a person, and record.
 *
 * @param at requests to the address of the session
 */
export function sessionPrograms(at: RequestsAt) {
  const idOf = encodeURIComponent;
  return {
    /**
     * Calls a method of computer use: `computer('click', { ref: 'e12' })`. Needs a session with `automation`.
     * While a person has control, it waits as long as `automation.hold_seconds`.
     */
    computer: <Method extends ComputerMethod>(method: Method, ...[options]: OptionsOf<Method>) =>
      at.post<ComputerResult<Method>>(`/computer/${method}`, options),
    /** Returns a picture of the screen: PNG, or the `format` of the options. */
    screenshot: ({ region, ...options }: ScreenshotOptions = {}) => {
      const part = region && [region.x, region.y, region.width, region.height].join(',');
      return at.bytes(`/screenshot${query({ ...options, region: part })}`);
    },
    /** Returns the bytes of a finished download. `computer('files')` lists the downloads. */
    download: (id: string) => at.bytes(`/downloads/${idOf(id)}`),
    /** Removes a download. */
    removeDownload: (id: string) => at.delete<{ id: string }>(`/downloads/${idOf(id)}`),
    /** Sends a file, which `computer('choose', { files: [id] })` gives to a page. */
    upload: (name: string, bytes: Uint8Array) =>
      at.send<SessionUpload>(`/uploads${query({ name })}`, bytes, 'application/octet-stream'),
    /** Removes a file that was sent. */
    removeUpload: (id: string) => at.delete<{ id: string }>(`/uploads/${idOf(id)}`),
    /** Asks for a person. Programs wait until a person has answered. */
    requestHandoff: (request: HandoffRequest) => at.post<HandoffView>('/handoffs', request),
    /** Returns a hand-off. Waits up to this many seconds, at most 25, for its end. */
    handoff: (id: string, wait = 0) => at.get<HandoffView>(`/handoffs/${idOf(id)}${query({ wait })}`),
    /** Withdraws a hand-off that is not needed any more. */
    withdrawHandoff: (id: string) => at.delete<HandoffView>(`/handoffs/${idOf(id)}`),
    /** Starts a recording. With `{ from: 'ring' }`, it resolves to a recording of the last seconds. */
    startRecording: (settings: RecordingSettings | RingRecording = {}) =>
      at.post<Recording>('/recordings', settings),
    /** Stops a recording. */
    stopRecording: (id: string) => at.post<Recording>(`/recordings/${idOf(id)}/stop`),
    /** Adds a marker to the running recording. It becomes a chapter. */
    markRecording: (id: string, name: string) =>
      at.post<{ status: 'ok' }>(`/recordings/${idOf(id)}/markers`, { name }),
  };
}
