/** The SDK. Importing it registers nothing and works in Node; `cloud-browser/element` registers the element. */
export * from './core/index.js';
export type * from './protocol/session-api/tab-types.js';
export {
  CALL_ERROR_CODES,
  DISCONNECT_REASONS,
  Modifier,
  ROLES,
  type CallErrorCode,
  type Cursor,
  type DisconnectReason,
  type InputWithoutSeq,
  type MediaKind,
  type MediaPacket,
  type PeerPointer,
  type Permissions,
  type RemoteField,
  type Role,
  type SessionEvent,
  type SessionEvents,
  type SessionMethod,
  type SessionMethods,
  type SessionUser,
  type SoundPacket,
  type StreamInfo,
  type TabEvents,
  type TabMethods,
  type Userdata,
  type Welcome,
} from './protocol/index.js';
export { probeMedia, type ImageOnlyCause, type MediaSupport, type PaintedFrame } from './media/index.js';
export {
  createViewer,
  Viewer,
  type ImageNotice,
  type KeyboardScope,
  type PictureShift,
  type ResizeMode,
  type SentEvent,
  type ViewerEvents,
  type ViewerOptions,
  type ViewerStats,
} from './viewer/index.js';
