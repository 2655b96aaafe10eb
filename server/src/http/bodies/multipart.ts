import { ServiceError } from '../../service-error.js';

/** Maximum number of parts. A create request has two parts. */
const MAX_PARTS = 20;
const MAX_HEADER_BYTES = 8_192;
const LINE_BREAK = Buffer.from('\r\n');
const HEADER_END = Buffer.from('\r\n\r\n');

/** Returns true if a content type is multipart. */
export function isMultipart(contentType: string | undefined): boolean {
  return contentType !== undefined && /^\s*multipart\//i.test(contentType);
}

/**
 * Parses a multipart/form-data body (RFC 7578) that is completely in memory. Returns its parts by name. If
 * several parts have the same name, the first counts. Throws {@link ServiceError} `err_bad_request`.
 */
export function parseMultipart(contentType: string, body: Buffer): Map<string, Buffer> {
  const boundary = boundaryOf(contentType);
  const delimiter = Buffer.from(`--${boundary}`);
  const parts = new Map<string, Buffer>();
  let position = body.indexOf(delimiter);
  // Text before the first delimiter is ignored, but a delimiter must start a line.
  if (position < 0 || (position > 0 && !endsWithLineBreak(body, position))) throw malformed();
  for (let count = 0; ; count++) {
    position += delimiter.length;
    if (body.subarray(position, position + 2).toString('latin1') === '--') return parts;
    if (count >= MAX_PARTS) throw malformed();
    // A delimiter may be followed by white space.
    const start = body.indexOf(LINE_BREAK, position);
    if (start < 0 || body.toString('latin1', position, start).trim() !== '') throw malformed();
    const end = body.indexOf(Buffer.concat([LINE_BREAK, delimiter]), start);
    if (end < 0) throw malformed();
    const { name, content } = readPart(body.subarray(start, end));
    if (!parts.has(name)) parts.set(name, content);
    position = end + LINE_BREAK.length;
  }
}

/** Reads a part, from the line break before its headers to its end. */
function readPart(part: Buffer): { name: string; content: Buffer } {
  const headersEnd = part.indexOf(HEADER_END);
  if (headersEnd < 0 || headersEnd > MAX_HEADER_BYTES) throw malformed();
  const headers = part.toString('utf8', LINE_BREAK.length, headersEnd).split('\r\n');
  const disposition = headers.find((line) => /^content-disposition\s*:/i.test(line)) ?? '';
  const match = /;\s*name\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(disposition);
  const name = match?.[1]?.replace(/\\(.)/g, '$1').replace(/%22/g, '"') ?? match?.[2];
  if (name === undefined) throw malformed();
  return { name, content: part.subarray(headersEnd + HEADER_END.length) };
}

function boundaryOf(contentType: string): string {
  const match = /;\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (!/^\s*multipart\/form-data\b/i.test(contentType)) throw malformed();
  if (boundary === undefined)
    throw new ServiceError(
      'err_bad_request',
      'The Content-Type of the multipart body has no boundary. Let your HTTP client set this header.',
    );
  return boundary;
}

function endsWithLineBreak(body: Buffer, position: number): boolean {
  return body.subarray(position - 2, position).equals(LINE_BREAK);
}

function malformed(): ServiceError {
  return new ServiceError(
    'err_bad_request',
    'The multipart body is malformed. Send it as multipart/form-data.',
  );
}
