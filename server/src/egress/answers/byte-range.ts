/** First and last byte of a part of a file. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Parses a `Range` header with one range of bytes (RFC 9110, section 14.2), as video players send it. Returns
 * undefined if the whole file should be sent, for example for a header of another form. Returns `none` if the
 * file has no byte of the range.
 *
 * @param size size of the file in bytes
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'none' | undefined {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  const [, from = '', to = ''] = found ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'none' : { first: size - length, last: size - 1 };
  }
  if (to !== '' && Number(to) < Number(from)) return undefined;
  if (Number(from) >= size) return 'none';
  return { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}
