import { decodeSoundPacket } from 'cloud-browser/protocol';
import type { RecordingEnd, RecordingOrder } from '../../../recording-protocol.js';
import { repeat } from '../../../platform/time/repeat.js';
import { canSee } from '../../room/users/can-use.js';
import type { FeatureBrowser, MakeFeature } from '../feature.js';
import { EventLog } from './events/event-log.js';
import { RecordedSessionEvents } from './events/session-events.js';
import { MaskedStreams } from './masked/masked-streams.js';
import { HOLD_MS } from './masked/masked-source.js';
import { FileOutput } from './file-output.js';
import { KEY_FRAME_MS } from './key-frame-schedule.js';
import { Recorder, type RecorderParts } from './recorder.js';
import { MAX_GROUP_BYTES, RingOutput } from './ring/ring-output.js';
import { titleCard } from './title-card.js';

/** Milliseconds after which the counts of users' input and of agents' commands are written. */
const COUNT_TICK_MS = 1_000;
/** Shortest pause of the recorder after a picture in a session with masked fields. Milliseconds. */
const MIN_REST_MS = 30;

/** Recordings of the session: pictures, sound and events, sent to the service. */
export const recording: MakeFeature = (parts) => {
  const { session, clock, users, calls, frames, streams, openRecordingChannel } = parts;
  const { roster, control } = users;
  const hasMasks = session.fieldMasking.length > 0;
  let masked: MaskedStreams | undefined;
  let recorder: Recorder | undefined;
  /** Number of the running recording. Undefined if no recording runs, also while only the ring is filled. */
  let number: number | undefined;
  /** Ring that keeps the last seconds in memory while no recording runs. */
  let ring: RingOutput | undefined;
  let events: EventLog | undefined;
  let browser: FeatureBrowser | undefined;
  let stopped = false;
  /** Resolves when the recordings that have ended are sent. Never rejects. */
  let sent: Promise<unknown> = Promise.resolve();
  const sessionEvents = new RecordedSessionEvents({ calls, users, session });
  const isWatched = () =>
    [...roster.viewers()].some((viewer) => viewer.media === 'h264' && viewer.visible && canSee(viewer));
  const notify = () => {
    for (const viewer of roster.viewers()) viewer.send({ type: 'recording', on: recorder !== undefined });
  };
  const ticks = repeat(clock, { every: COUNT_TICK_MS, first: Infinity }, () => {
    events?.tick();
    sessionEvents.tick();
    if (!events) ticks.runIn(Infinity);
  });

  const applyPrivacy = () => {
    events?.setPrivate(control.alone);
    recorder?.pause(control.alone !== undefined);
  };

  const start = (
    { fps, ...settings }: RecorderParts['settings'],
    output: RecorderParts['output'],
    withEvents: boolean,
  ) => {
    masked = hasMasks ? new MaskedStreams({ session, clock, size: () => streams.size }) : undefined;
    masked?.use(browser);
    const one = new Recorder({
      ...{ clock, output, makeCard: titleCard },
      settings: { ...settings, fps: masked ? maskedFps(fps) : fps },
      streams: masked ?? frames,
      // No viewer sees this stream, in which masked fields are black.
      isWatched: masked ? () => false : isWatched,
      onEnd: (reason) => ended(one, reason),
      onSize: (width, height) => events?.about({ type: 'size', width, height }),
    });
    recorder = one;
    events = withEvents ? new EventLog(one, clock) : undefined;
    ticks.runIn(COUNT_TICK_MS);
    (masked ?? frames).add(one);
    applyPrivacy();
    if (events) sessionEvents.begin(events);
    notify();
  };
  const fileOf = (order: RecordingOrder, onFailure: () => void) =>
    new FileOutput({ ...order, channel: openRecordingChannel(), onFailure });
  const begin = (order: RecordingOrder) => {
    // The service starts one recording at a time.
    if (number !== undefined) return;
    stopRing();
    number = order.number;
    start(
      order,
      fileOf(order, () => {
        // The file of an earlier recording may fail while its last parts are written.
        if (number === order.number) end('storage');
      }),
      order.events,
    );
  };
  const fillRing = () => {
    if (!session.ring || recorder || stopped) return;
    const { seconds, ...settings } = session.ring;
    ring = new RingOutput(seconds * 1000);
    const longestMs = Math.max(KEY_FRAME_MS, seconds * 1000);
    const limits = { maxSeconds: null, longestMs, mostBytes: MAX_GROUP_BYTES };
    start({ ...settings, ...limits }, ring, settings.events);
  };
  const keepRing = (order: RecordingOrder) => {
    const file = fileOf(order, () => undefined);
    // The recording must also have the events of the last second.
    sessionEvents.tick();
    events?.flushCounts();
    const now = recorder?.time ?? 0;
    const length = ring?.writeTo(file, now) ?? 0;
    // Clicks of the last moment wait for the names of their elements.
    const complete = events?.copyWaiting(file, now - length) ?? Promise.resolve();
    // The host's process ends after the session. So the end of the session waits for this file.
    sent = Promise.all([sent, complete.then(() => file.end(length, 'stopped'))]);
  };
  const stopRing = () => {
    if (!ring) return;
    ring = undefined;
    endEvents();
    void recorder?.end('stopped');
    clear();
  };
  const endEvents = () => {
    sessionEvents.end();
    events?.end();
    events = undefined;
  };
  const clear = () => {
    recorder = undefined;
    masked?.close();
    masked = undefined;
  };
  const ended = (one: Recorder, reason: RecordingEnd) => {
    endEvents();
    // The service may start the next recording as soon as it has received the last part.
    sent = Promise.all([sent, one.end(reason)]);
    clear();
    number = undefined;
    fillRing();
    notify();
  };
  const end = (reason: RecordingEnd) => {
    if (recorder && number !== undefined) ended(recorder, reason);
  };

  return {
    get busy() {
      // While only the ring is filled, the host may freeze an unused session.
      return number !== undefined;
    },
    get listens() {
      return recorder?.listens ?? false;
    },
    soundCame: (packet) => {
      if (!recorder?.listens) return;
      const { payload, captureTime } = decodeSoundPacket(packet);
      recorder.sound(payload, captureTime);
    },
    takeRecordingMessage: (message) => {
      if (message.type === 'record')
        return message.order.fromRing ? keepRing(message.order) : begin(message.order);
      if (!recorder || number !== message.number) return;
      if (message.type === 'endRecording') return end(message.reason);
      recorder.askKeyFrame();
      if (message.type === 'recordedKeyFrame') return;
      recorder.event(JSON.stringify({ t: recorder.time / 1000, type: 'marker', name: message.name }));
    },
    browserStarted: (next) => {
      browser = next;
      masked?.use(next);
      sessionEvents.browserStarted(next);
      fillRing();
    },
    browserIsGone: () => {
      browser = undefined;
      masked?.use(undefined);
      sessionEvents.browserIsGone();
    },
    viewerJoined: (viewer) => {
      if (!recorder) return;
      viewer.send({ type: 'recording', on: true });
      sessionEvents.viewerJoined(viewer.userId);
    },
    viewerLeft: ({ userId }, { userIsGone }) => {
      if (userIsGone) sessionEvents.userLeft(userId);
    },
    usersChanged: () => sessionEvents.usersChanged(),
    rightsChanged: applyPrivacy,
    userActed: ({ userId }, event) => events?.input(userId, event),
    stop: async () => {
      stopped = true;
      ticks.stop();
      stopRing();
      end('session_ended');
      await sent;
    },
  };
};

/**
 * Returns the recorder's rate in a session with masked fields. In such a session, each picture waits {@link
 * HOLD_MS} before it is encoded. So the recorder's own pause is shorter by this time.
 */
function maskedFps(fps: number): number {
  return 1000 / Math.max(MIN_REST_MS, 1000 / fps - HOLD_MS);
}
