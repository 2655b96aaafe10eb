import { nalTypeOf, nalUnits } from '../../encode/nal-units.js';

/** Types of NAL units that a decoder needs before the first picture; ITU-T H.264, table 7-1. */
const PARAMETER_SETS: ReadonlySet<number> = new Set([7, 8]);
const START_CODE = Buffer.from([0, 0, 0, 1]);

/** Returns the parameter sets of a key frame. The key frame and the result are in Annex B form. */
export function parameterSetsOf(keyFrame: Buffer): Buffer {
  const found = [...nalUnits(keyFrame)].filter((unit) => PARAMETER_SETS.has(nalTypeOf(unit)));
  return Buffer.concat(found.flatMap((unit) => [START_CODE, unit]));
}
