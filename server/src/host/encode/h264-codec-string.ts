/** The type of the unit that states profile and level; ITU-T H.264, table 7-1. */
const SEQUENCE_PARAMETER_SET = 7;

/**
 * The codec string for WebCodecs, `avc1.PPCCLL`: profile, constraints and level as the stream itself states them in its
 * sequence parameter set (RFC 6381; ITU-T H.264, 7.3.2.1). Undefined when the data holds none.
 */
export function codecStringOf(annexB: Uint8Array): string | undefined {
  for (let index = 0; index + 7 < annexB.length; index++) {
    const startCode = annexB[index] === 0 && annexB[index + 1] === 0 && annexB[index + 2] === 1;
    if (!startCode || ((annexB[index + 3] ?? 0) & 0x1f) !== SEQUENCE_PARAMETER_SET) continue;
    const bytes = annexB.subarray(index + 4, index + 7);
    return `avc1.${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  }
  return undefined;
}
