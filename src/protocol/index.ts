/**
 * The wire protocol. It is the only code that page and server share. `docs/protocol.md` describes it in
 * prose.
 */
export * from './version.js';
export * from './reasons.js';
export { fromUtf8, joined, ProtocolError, utf8 } from './bytes.js';
export * from './packets.js';
export * from './frame-parts.js';
export * from './sound.js';
export {
  decodeClipboardChunk,
  decodeClipboardMessage,
  isClipboardChunk,
  isClipboardMessage,
  MAX_CHUNK_BYTES,
  type ClipboardAck,
  type ClipboardChunk,
  type ClipboardData,
  type ClipboardMessage,
  type ClipboardOffer,
  type ClipboardPart,
  type ClipboardRefusal,
} from './transfer/clipboard.js';
export * from './transfer/clipboard-sending.js';
export * from './transfer/chunked-transfer.js';
export * from './input/input.js';
export * from './input/input-codec.js';
export * from './calls.js';
export * from './session-api.js';
export * from './session-api/accessibility.js';
export * from './session-api/clipboard.js';
export * from './session-api/computer.js';
export * from './session-api/dialogs.js';
export * from './session-api/files.js';
export * from './session-api/handoffs.js';
export * from './session-api/tabs.js';
export type * from './session-api/tab-types.js';
export * from './session-api/users.js';
export * from './input/focus.js';
export type { BoxMessage, ScreenInfo } from './screen.js';
export type * from './input/pointer-lock.js';
export * from './control.js';
export * from './control-codec.js';
