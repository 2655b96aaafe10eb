import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordingEnd, RecordingOrder } from '../../server/src/recording-protocol.js';
import { FileRecordingIndex } from '../../server/src/recordings/records/file-recording-index.js';
import { FileReplayTokens } from '../../server/src/recordings/tokens/file-replay-tokens.js';
import {
  RecordingDirectory,
  type RecordingDirectoryOptions,
} from '../../server/src/recordings/recording-directory.js';
import type {
  RecordedSession,
  RecordingHost,
  RecordingSink,
} from '../../server/src/sessions/recordings/recording-ports.js';
import { Recordings } from '../../server/src/sessions/recordings/recordings.js';
import type { WebhookEvent } from '../../server/src/sessions/ports.js';
import type { PictureReader } from '../../server/src/sessions/recordings/thumbnails.js';
import { ManualClock } from './manual-clock.js';
import { quiet } from './service-parts.js';

/** Settings of a recording with everything. */
export const RECORD_ALL = { audio: true, fps: 5, events: true, maxSeconds: null, maxMb: null, ring: null };

/** Key of encrypted recordings. */
export const RECORDING_KEY = Buffer.alloc(32, 5);

/** Options of {@link recordingsIn}. */
export interface RecordingsOptions extends Partial<RecordingDirectoryOptions> {
  maxMb?: number;
  maxWaitingMb?: number;
  days?: number;
  clock?: ManualClock;
  readPicture?: PictureReader;
}

const noPicture: PictureReader = () => Promise.reject(new Error('There is no program for pictures.'));

/** Recordings in a new directory, as one process of a service has them. */
export async function recordingsIn(root: string, options: RecordingsOptions = {}) {
  const { maxMb = 1, maxWaitingMb = 1, days = 30, clock = new ManualClock() } = options;
  const { key = RECORDING_KEY, encrypts = false, store, spareBytes, readPicture = noPicture } = options;
  const files = await RecordingDirectory.open(root, { key, encrypts, store, spareBytes });
  const index = await FileRecordingIndex.open(root, quiet);
  const tokens = await FileReplayTokens.open(root, quiet);
  const sent: WebhookEvent[] = [];
  const events = {
    add: async (event: WebhookEvent) => {
      sent.push(event);
    },
  };
  const recordings = new Recordings({
    ...{ files, index, tokens, events, clock, maxMb, maxWaitingMb, days, log: quiet },
    readPicture,
  });
  /** Returns the sessions and types of the events that were sent. */
  const told = () => sent.map(({ sessionId, body }) => [sessionId, (body as { type: string }).type]);
  return { recordings, files, index, clock, sent, told };
}

/** Makes a directory for recordings. The caller removes it. */
export function recordingRoot(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'cloud-browser-recordings-'));
}

/** Starts a recording of a new session. It has one fragment, with a key frame. */
export async function startRecording(recordings: Recordings, name = 'one', bytes = 100) {
  const session = new FakeRecordedSession(name);
  const { id } = await recordings.start(session, RECORD_ALL);
  await session.init();
  await session.fragment(0, bytes, true);
  return { session, id };
}

/** A session whose host sends the parts of a recording that a test chooses. */
export class FakeRecordedSession implements RecordedSession, RecordingHost {
  readonly orders: RecordingOrder[] = [];
  readonly ends: { number: number; reason: RecordingEnd }[] = [];
  readonly markers: string[] = [];
  /** Numbers of the recordings for which a key frame was requested. */
  readonly keyFrameRequests: number[] = [];
  webhook: RecordedSession['webhook'] = { url: 'https://customer.example/', bearer: null };
  ring: RecordedSession['ring'] = null;
  sink: RecordingSink | undefined;

  constructor(
    readonly id: string,
    readonly tenantId: string | null = null,
    readonly tag: string | null = null,
  ) {}

  recordingHost(): Promise<RecordingHost> {
    return Promise.resolve(this);
  }

  record(order: RecordingOrder, sink: RecordingSink): void {
    this.orders.push(order);
    this.sink = sink;
  }

  endRecording(number: number, reason: RecordingEnd): void {
    this.ends.push({ number, reason });
    void this.end(reason);
  }

  mark(_number: number, name: string): void {
    this.markers.push(name);
  }

  requestKeyFrame(number: number): void {
    this.keyFrameRequests.push(number);
  }

  /** Sends a fragment of two seconds. */
  async fragment(time: number, bytes = 100, keyFrame = false): Promise<void> {
    const data = Buffer.alloc(bytes, time);
    await this.sink?.part({ type: 'fragment', data, time, duration: 2, keyFrame });
  }

  async init(bytes = 50): Promise<void> {
    await this.sink?.part({ type: 'init', data: Buffer.alloc(bytes, 7) });
  }

  async event(event: Record<string, unknown>): Promise<void> {
    await this.sink?.part({ type: 'event', data: Buffer.from(JSON.stringify(event)) });
  }

  async end(reason: RecordingEnd = 'session_ended'): Promise<void> {
    await this.sink?.part({ type: 'end', data: Buffer.from(reason) });
  }
}
