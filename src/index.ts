/** The SDK. Importing it registers nothing and works in Node; `cloud-browser/element` registers the element. */
export * from './core/index.js';
export {
  DISCONNECT_REASONS,
  Modifier,
  ROLES,
  type Cursor,
  type DisconnectReason,
  type InputWithoutSeq,
  type MediaKind,
  type MediaPacket,
  type PeerPointer,
  type Permissions,
  type Role,
  type SessionUser,
  type SoundPacket,
  type StreamInfo,
  type Welcome,
} from './protocol/index.js';
export { probeMedia, type ImageOnlyCause, type MediaSupport, type PaintedFrame } from './media/index.js';
export {
  createViewer,
  Viewer,
  type ImageNotice,
  type KeyboardScope,
  type SentEvent,
  type ViewerEvents,
  type ViewerOptions,
  type ViewerStats,
} from './viewer/index.js';
