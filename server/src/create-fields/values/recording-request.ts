import { Type } from 'typebox';
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
}

/** Bounds and defaults of a recording's settings. */
const FPS = { min: 1, max: 30, standard: 5 } as const;
const MAX_SECONDS = 31_536_000;
const MAX_MB = 1_000_000;

/** Settings of a recording in a request. */
export const RecordingOptions = Type.Object({
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
});

/** Settings of a recording in a request, without defaults. */
export interface RecordingRequest {
  audio?: boolean;
  fps?: number;
  events?: boolean;
  max_seconds?: number;
  max_mb?: number;
}

/** Schema of the field `record`. */
export const RecordingChoice = Type.Unsafe<boolean | RecordingRequest>({
  anyOf: [{ type: 'boolean' }, RecordingOptions],
  ...expected('true, false, or an object with audio, fps, events, max_seconds, max_mb'),
});

/** Completes the settings of a recording. Null: none is requested. */
export function recordingSettingsOf(request: boolean | RecordingRequest): RecordingSettings | null {
  if (request === false) return null;
  const { audio, fps, events, max_seconds: maxSeconds, max_mb: maxMb } = request === true ? {} : request;
  return {
    ...{ audio: audio ?? true, fps: fps ?? FPS.standard, events: events ?? true },
    ...{ maxSeconds: maxSeconds ?? null, maxMb: maxMb ?? null },
  };
}
