/** Types of NAL units that a decoder needs before the first picture; ITU-T H.264, table 7-1. */
const PARAMETER_SETS: ReadonlySet<number> = new Set([7, 8]);
const START_CODE = Buffer.from([0, 0, 0, 1]);

/** Returns the parameter sets of a key frame. The key frame and the result are in Annex B form. */
export function parameterSetsOf(keyFrame: Buffer): Buffer {
  const found = [...nalUnits(keyFrame)].filter((unit) => PARAMETER_SETS.has((unit[0] ?? 0) & 0x1f));
  return Buffer.concat(found.flatMap((unit) => [START_CODE, unit]));
}

/** Returns the NAL units of a stream in Annex B form, without their start codes. */
export function* nalUnits(stream: Buffer): Generator<Buffer> {
  const code = START_CODE.subarray(1);
  for (let at = stream.indexOf(code); at >= 0;) {
    const start = at + code.length;
    at = stream.indexOf(code, start);
    let end = at < 0 ? stream.length : at;
    // A start code of four bytes begins with one more zero.
    while (at >= 0 && end > start && stream[end - 1] === 0) end -= 1;
    yield stream.subarray(start, end);
  }
}
