import { Type } from 'typebox';
import type { RecordingRing } from '../../recording-protocol.js';
import { invalidParameter } from '../../service-error.js';
import { flag } from '../schema-parts.js';
import { expected } from '../expected.js';

/** Settings of a recording. */
export interface RecordingSettings {
  /** True to record the sound. */
  audio: boolean;
  /** Frames per second while no viewer sees the session. */
  fps: number;
  /** True to record events. */
  events: boolean;
  /** Seconds after which the recording ends. Null: no limit. */
  maxSeconds: number | null;
  /** Size at which the recording ends, in MB of 2^20 bytes. Null: no limit. */
  maxMb: number | null;
  /**
   * Length in seconds of the ring: the last seconds of the session, which the host keeps in memory until a
   * request records them. Null or absent if the session is recorded from the start. Sessions that an earlier
   * version has stored do not have this field.
   */
  ring?: number | null;
}

/** Bounds and defaults of a recording's settings. */
const FPS = { min: 1, max: 30, standard: 5 } as const;
const MAX_SECONDS = 31_536_000;
const MAX_MB = 1_000_000;
const MAX_RING_SECONDS = 300;

const options = {
  audio: flag(true, 'Records the sound.'),
  fps: Type.Optional(
    Type.Integer({
      ...{ minimum: FPS.min, maximum: FPS.max, default: FPS.standard },
      description: 'Frames per second while no viewer sees the session.',
    }),
  ),
  events: flag(true, 'Records events: navigations, users, clicks and others. Never typed text.'),
  max_seconds: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: MAX_SECONDS },
      description: 'Seconds after which the recording ends.',
    }),
  ),
  max_mb: Type.Optional(
    Type.Integer({ ...{ minimum: 1, maximum: MAX_MB }, description: 'MB at which the recording ends.' }),
  ),
};

/** Settings of a recording that a request starts. */
export const RecordingStart = Type.Object({
  ...options,
  from: Type.Optional(
    Type.String({
      enum: ['ring'],
      description: 'ring: records the last seconds, which the session has in memory, and nothing else.',
    }),
  ),
});

/** Settings of a recording in a create request. */
const RecordingOptions = Type.Object({
  ...options,
  ring: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: MAX_RING_SECONDS },
      description: 'Seconds that the session keeps in memory. A later request can record them.',
    }),
  ),
});

/** Settings of a recording in a request, without defaults. */
export interface RecordingRequest {
  ring?: number;
  audio?: boolean;
  fps?: number;
  events?: boolean;
  max_seconds?: number;
  max_mb?: number;
}

/** Schema of the field `record`. */
export const RecordingChoice = Type.Unsafe<boolean | RecordingRequest>({
  anyOf: [{ type: 'boolean' }, RecordingOptions],
  ...expected('true, false, or an object with audio, fps, events, max_seconds, max_mb, ring'),
});

/**
 * Completes the settings of a recording. Returns null if no recording is requested. Throws
 * {@link ServiceError}.
 */
export function recordingSettingsOf(request: boolean | RecordingRequest): RecordingSettings | null {
  if (request === false) return null;
  const { audio, fps, events, ring, ...limits } = request === true ? {} : request;
  const { max_seconds: maxSeconds, max_mb: maxMb } = limits;
  if (ring !== undefined && (maxSeconds ?? maxMb) !== undefined)
    throw invalidParameter('record', 'a ring without max_seconds and max_mb, which limit other recordings');
  return {
    ...{ audio: audio ?? true, fps: fps ?? FPS.standard, events: events ?? true },
    ...{ maxSeconds: maxSeconds ?? null, maxMb: maxMb ?? null, ring: ring ?? null },
  };
}

/** Returns the settings of the ring for the session's host. Null if the host keeps no seconds in memory. */
export function ringOf(settings: RecordingSettings | null): RecordingRing | null {
  if (!settings?.ring) return null;
  const { ring: seconds, audio, fps, events } = settings;
  return { seconds, audio, fps, events };
}
