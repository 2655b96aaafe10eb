/**
 * Maximum length of a close reason in bytes. A close frame has at most 125 bytes, and the close code uses two
 * of them (RFC 6455, 5.5).
 */
const MAX_REASON_BYTES = 120;

/**
 * Returns a sentence as the reason of a WebSocket close frame. Cuts a long sentence after a whole character.
 */
export function closeReasonOf(sentence: string): string {
  const bytes = Buffer.from(sentence).subarray(0, MAX_REASON_BYTES);
  // With `stream`, the decoder keeps the bytes of an incomplete character for itself.
  return new TextDecoder().decode(bytes, { stream: true });
}
