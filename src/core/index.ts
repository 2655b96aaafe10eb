/** The headless client: everything except the picture and the user's local input. Needs no DOM. */
export type { AccessibilityListener, AccessibilityTree } from './calls/accessibility-tree.js';
export { CloudBrowserClient } from './client.js';
export type { Clipboard } from './clipboard/clipboard.js';
export type { ClipboardContent } from './clipboard/clipboard-content.js';
export type { ClientOptions } from './client-options.js';
export type { ConnectionState } from './connection/connection-states.js';
export type { ClientEvents, CloseWarningInfo, Disconnection, PrivacyInfo, StateChange } from './events.js';
export type { Dialogs } from './calls/dialogs.js';
export * from './errors.js';
export type { Files, LocalFile, UploadOptions } from './files/files.js';
export * from './sizes/geometry.js';
export type { WatchNetwork } from './connection/network.js';
export type { ConnectionQuality } from './quality.js';
export * from './connection/reconnect-policy.js';
export type { CallOptions, Remote, RemoteMethod } from './calls/remote.js';
export type { RemoteListeners, TabEvent } from './calls/remote-listeners.js';
export type { RemoteListener } from './calls/subscriptions.js';
export {
  openWebSocket,
  type CreateSocket,
  type SocketLike,
  type SocketListener,
} from './connection/socket.js';
export type { Tabs } from './calls/tabs.js';
export { systemTimers, type Timers } from './timers.js';
export type { UserEvents, Users } from './calls/users.js';
