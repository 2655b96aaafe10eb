import type { FeatureParts } from '../../server/src/host/features/feature.js';
import { EndedTokens } from '../../server/src/host/room/ended-tokens.js';
import { systemClock } from '../../server/src/platform/time/clock.js';

/** Parts that a test has made itself, and those that it replaces. */
type Given = Pick<FeatureParts, 'session' | 'calls' | 'users' | 'devices' | 'streams'> &
  Partial<FeatureParts>;

/** Returns the parts of a session for features that need neither a browser nor a directory. */
export function featureParts(given: Given): FeatureParts {
  const nothing = () => undefined;
  return {
    endedTokens: new EndedTokens(),
    ...{ place: '', limits: { fileBytes: 0, filesBytes: 0 }, clock: systemClock },
    ...{
      reveal: nothing,
      log: nothing,
      onHandoff: nothing,
      onActivity: nothing,
      onAct: nothing,
      changeScreen: () => Promise.resolve(),
    },
    frames: {
      ...{ add: nothing, remove: nothing, acknowledged: nothing },
      ...{ requestKeyFrame: nothing, refresh: nothing },
    },
    openRecordingChannel: () => ({ write: nothing, writableLength: 0 }),
    ...given,
  };
}
