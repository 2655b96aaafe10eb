/** A range of bytes of a file. The bytes `start` and `end` are included. */
export interface FileRange {
  start: number;
  end: number;
}

/**
 * Returns the bytes that a header `Range` requests, see RFC 9110, 14.2. `all`: the request has no such
 * header, or a header that the service may ignore, for example because the header has several ranges. `none`:
 * the file does not have the requested bytes.
 */
export function fileRangeOf(header: string | undefined, size: number): FileRange | 'all' | 'none' {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return 'all';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'none' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return 'all';
  return start >= size ? 'none' : { start, end };
}
