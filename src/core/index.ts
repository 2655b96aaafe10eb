/** The headless client: everything but pixels and hands. No DOM. */
export { CloudBrowserClient, type ClientOptions } from './client.js';
export type {
  ClientEvents,
  CloseWarningInfo,
  ConnectionState,
  Disconnection,
  StateChange,
} from './events.js';
export * from './errors.js';
export * from './geometry.js';
export * from './reconnect-policy.js';
export type { CallOptions, Remote } from './remote.js';
export type { RemoteListener } from './subscriptions.js';
export { openWebSocket, type CreateSocket, type SocketLike, type SocketListener } from './socket.js';
export { systemTimers, type Timers } from './timers.js';
