/**
 * The SDK. An import registers no element and also works in Node. `cloud-browser/element` registers the
 * element.
 */
import './dom-names.js';

export * from './core/index.js';
export type * from './protocol/session-api/tab-types.js';
export {
  CALL_ERROR_CODES,
  DISCONNECT_REASONS,
  Modifier,
  ROLES,
  type CallErrorCode,
  type ClipboardType,
  type CopiedNotice,
  type Cursor,
  type Download,
  type DownloadFailure,
  type DownloadState,
  type FileChooser,
  type DisconnectReason,
  type LeaveReason,
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
export {
  probeMedia,
  type DecoderPreference,
  type ImageOnlyCause,
  type MediaSupport,
  type PaintedFrame,
} from './media/index.js';
export {
  createViewer,
  Viewer,
  type CopyState,
  type ImageNotice,
  type KeyboardScope,
  type PictureShift,
  type RemoteCopy,
  type ResizeMode,
  type SentEvent,
  type ViewerClipboard,
  type ViewerEvents,
  type ViewerOptions,
  type ViewerStats,
} from './viewer/index.js';
