/** Start code of three bytes in Annex B form; ITU-T H.264, annex B. */
const START_CODE = Buffer.from([0, 0, 1]);

/** Returns the NAL units of a stream in Annex B form, without their start codes. */
export function* nalUnits(stream: Buffer): Generator<Buffer> {
  for (let at = stream.indexOf(START_CODE); at >= 0;) {
    const start = at + START_CODE.length;
    at = stream.indexOf(START_CODE, start);
    let end = at < 0 ? stream.length : at;
    // A start code of four bytes begins with one more zero, which does not belong to this unit.
    while (at >= 0 && end > start && stream[end - 1] === 0) end -= 1;
    yield stream.subarray(start, end);
  }
}

/** Returns the type of a NAL unit; ITU-T H.264, table 7-1. */
export function nalTypeOf(unit: Buffer): number {
  return (unit[0] ?? 0) & 0x1f;
}
