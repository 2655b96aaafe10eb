/** The headless client: everything but pixels and hands. No DOM. */
export { CloudBrowserClient } from './client.js';
export type { ClientOptions } from './client-options.js';
export type { ConnectionState } from './connection-states.js';
export type { ClientEvents, CloseWarningInfo, Disconnection, PrivacyInfo, StateChange } from './events.js';
export type { Dialogs } from './dialogs.js';
export * from './errors.js';
export * from './geometry.js';
export type { WatchNetwork } from './network.js';
export type { ConnectionQuality } from './quality.js';
export * from './reconnect-policy.js';
export type { CallOptions, Remote, RemoteMethod } from './remote.js';
export type { RemoteListeners, TabEvent } from './remote-listeners.js';
export type { RemoteListener } from './subscriptions.js';
export { openWebSocket, type CreateSocket, type SocketLike, type SocketListener } from './socket.js';
export type { Tabs } from './tabs.js';
export { systemTimers, type Timers } from './timers.js';
export type { UserEvents, Users } from './users.js';
