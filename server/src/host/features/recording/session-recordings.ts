import { decodeSoundPacket, type InputEvent } from 'cloud-browser/protocol';
import type { RecordingEnd, RecordingOrder } from '../../../recording-protocol.js';
import type { RecordingMessage } from '../../../host-protocol.js';
import { repeat, type Repetition } from '../../../platform/time/repeat.js';
import { canSee } from '../../room/users/can-use.js';
import type { Viewer } from '../../room/viewers/viewer.js';
import type { FeatureBrowser, FeatureParts } from '../feature.js';
import { EventLog } from './events/event-log.js';
import { RecordedSessionEvents } from './events/session-events.js';
import { FileOutput } from './file-output.js';
import { KEY_FRAME_MS } from './key-frame-schedule.js';
import { HOLD_MS } from './masked/masked-source.js';
import { MaskedStreams } from './masked/masked-streams.js';
import { Recorder, type RecorderParts } from './recorder.js';
import { MAX_GROUP_BYTES, RingOutput } from './ring/ring-output.js';
import { titleCard } from './title-card.js';

/** Milliseconds after which the counts of users' input and of agents' commands are written. */
const COUNT_TICK_MS = 1_000;
/** Shortest pause of the recorder after a picture in a session with masked fields. Milliseconds. */
const MIN_REST_MS = 30;

/** The recordings of a session: at most one at a time, and the ring while none runs. */
export class SessionRecordings {
  readonly #sessionEvents: RecordedSessionEvents;
  readonly #ticks: Repetition;
  #masked: MaskedStreams | undefined;
  #recorder: Recorder | undefined;
  /** Number of the running recording. Undefined if no recording runs, also while only the ring is filled. */
  #number: number | undefined;
  /** Ring that keeps the last seconds in memory while no recording runs. */
  #ring: RingOutput | undefined;
  #events: EventLog | undefined;
  #browser: FeatureBrowser | undefined;
  #stopped = false;
  /** Resolves when the recordings that have ended are sent. Never rejects. */
  #sent: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: FeatureParts) {
    const { calls, users, session, clock } = parts;
    this.#sessionEvents = new RecordedSessionEvents({ calls, users, session });
    this.#ticks = repeat(clock, { every: COUNT_TICK_MS, first: Infinity }, () => {
      this.#events?.tick();
      this.#sessionEvents.tick();
      if (!this.#events) this.#ticks.runIn(Infinity);
    });
  }

  /** True while a recording runs. False while only the ring is filled. */
  get running(): boolean {
    return this.#number !== undefined;
  }

  /** True if the recorder needs sound. */
  get listens(): boolean {
    return this.#recorder?.listens ?? false;
  }

  sound(packet: Uint8Array): void {
    if (!this.#recorder?.listens) return;
    const { payload, captureTime } = decodeSoundPacket(packet);
    this.#recorder.sound(payload, captureTime);
  }

  /** Carries out a message of the service. */
  take(message: RecordingMessage): void {
    if (message.type === 'record') {
      if (message.order.fromRing) this.#keepRing(message.order);
      else this.#begin(message.order);
      return;
    }
    const recorder = this.#recorder;
    if (!recorder || this.#number !== message.number) return;
    if (message.type === 'endRecording') {
      this.#end(message.reason);
      return;
    }
    recorder.askKeyFrame();
    if (message.type === 'recordedKeyFrame') return;
    recorder.event(JSON.stringify({ t: recorder.time / 1000, type: 'marker', name: message.name }));
  }

  /** Uses a browser that has started. */
  use(browser: FeatureBrowser): void {
    this.#browser = browser;
    this.#masked?.use(browser);
    this.#sessionEvents.browserStarted(browser);
    this.#fillRing();
  }

  browserIsGone(): void {
    this.#browser = undefined;
    this.#masked?.use(undefined);
    this.#sessionEvents.browserIsGone();
  }

  viewerJoined(viewer: Viewer): void {
    if (!this.#recorder) return;
    viewer.send({ type: 'recording', on: true });
    this.#sessionEvents.viewerJoined(viewer.userId);
  }

  userLeft(userId: string): void {
    this.#sessionEvents.userLeft(userId);
  }

  usersChanged(): void {
    this.#sessionEvents.usersChanged();
  }

  /** Pauses the recording while a user is in privacy mode. */
  applyPrivacy(): void {
    const { alone } = this.parts.users.control;
    this.#events?.setPrivate(alone);
    this.#recorder?.pause(alone !== undefined);
  }

  userActed(userId: string, event: InputEvent): void {
    this.#events?.input(userId, event);
  }

  /** Ends the recording and the ring. Resolves when all recordings are sent. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#ticks.stop();
    this.#stopRing();
    this.#end('session_ended');
    await this.#sent;
  }

  #begin(order: RecordingOrder): void {
    // The service starts one recording at a time.
    if (this.#number !== undefined) return;
    this.#stopRing();
    this.#number = order.number;
    const output = this.#fileOf(order, () => {
      // The file of an earlier recording may fail while its last parts are written.
      if (this.#number === order.number) this.#end('storage');
    });
    this.#start(order, output, order.events);
  }

  #fillRing(): void {
    const { ring } = this.parts.session;
    if (!ring || this.#recorder || this.#stopped) return;
    const { seconds, ...settings } = ring;
    this.#ring = new RingOutput(seconds * 1000);
    const longestMs = Math.max(KEY_FRAME_MS, seconds * 1000);
    const limits = { maxSeconds: null, longestMs, mostBytes: MAX_GROUP_BYTES };
    this.#start({ ...settings, ...limits }, this.#ring, settings.events);
  }

  #start(
    { fps, ...settings }: RecorderParts['settings'],
    output: RecorderParts['output'],
    withEvents: boolean,
  ): void {
    const { session, clock, frames, streams } = this.parts;
    const hasMasks = session.fieldMasking.length > 0;
    const masked = hasMasks ? new MaskedStreams({ session, clock, size: () => streams.size }) : undefined;
    this.#masked = masked;
    masked?.use(this.#browser);
    const recorder = new Recorder({
      ...{ clock, output, makeCard: titleCard },
      settings: { ...settings, fps: masked ? maskedFps(fps) : fps },
      streams: masked ?? frames,
      // No viewer sees this stream, in which masked fields are black.
      isWatched: () => !masked && this.#isWatched(),
      onEnd: (reason) => this.#ended(recorder, reason),
      onSize: (width, height) => this.#events?.about({ type: 'size', width, height }),
    });
    this.#recorder = recorder;
    this.#events = withEvents ? new EventLog(recorder, clock) : undefined;
    this.#ticks.runIn(COUNT_TICK_MS);
    (masked ?? frames).add(recorder);
    this.applyPrivacy();
    if (this.#events) this.#sessionEvents.begin(this.#events);
    this.#notify();
  }

  /** Writes the content of the ring into a file. */
  #keepRing(order: RecordingOrder): void {
    const file = this.#fileOf(order, () => undefined);
    // The recording must also have the events of the last second.
    this.#sessionEvents.tick();
    this.#events?.flushCounts();
    const now = this.#recorder?.time ?? 0;
    const length = this.#ring?.writeTo(file, now) ?? 0;
    // Clicks of the last moment wait for the names of their elements.
    const complete = this.#events?.copyWaiting(file, now - length) ?? Promise.resolve();
    // The host's process ends after the session. So the end of the session waits for this file.
    this.#sent = Promise.all([this.#sent, complete.then(() => file.end(length, 'stopped'))]);
  }

  #stopRing(): void {
    if (!this.#ring) return;
    this.#ring = undefined;
    this.#endEvents();
    void this.#recorder?.end('stopped');
    this.#clear();
  }

  #end(reason: RecordingEnd): void {
    if (this.#recorder && this.#number !== undefined) this.#ended(this.#recorder, reason);
  }

  #ended(recorder: Recorder, reason: RecordingEnd): void {
    this.#endEvents();
    // The service may start the next recording as soon as it has received the last part.
    this.#sent = Promise.all([this.#sent, recorder.end(reason)]);
    this.#clear();
    this.#number = undefined;
    this.#fillRing();
    this.#notify();
  }

  #endEvents(): void {
    this.#sessionEvents.end();
    this.#events?.end();
    this.#events = undefined;
  }

  #clear(): void {
    this.#recorder = undefined;
    this.#masked?.close();
    this.#masked = undefined;
  }

  #fileOf(order: RecordingOrder, onFailure: () => void): FileOutput {
    return new FileOutput({ ...order, channel: this.parts.openRecordingChannel(), onFailure });
  }

  #isWatched(): boolean {
    const viewers = [...this.parts.users.roster.viewers()];
    return viewers.some((viewer) => viewer.media === 'h264' && viewer.visible && canSee(viewer));
  }

  #notify(): void {
    const on = this.#recorder !== undefined;
    for (const viewer of this.parts.users.roster.viewers()) viewer.send({ type: 'recording', on });
  }
}

/**
 * Returns the recorder's rate in a session with masked fields. In such a session, each picture waits {@link
 * HOLD_MS} before it is encoded. So the recorder's own pause is shorter by this time.
 */
function maskedFps(fps: number): number {
  return 1000 / Math.max(MIN_REST_MS, 1000 / fps - HOLD_MS);
}
