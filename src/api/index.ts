/**
 * The REST API and the webhooks of the service, for backends. Works in Node, in edge runtimes and in
 * browsers.
 */
export { CloudBrowserApi, type ApiOptions, type ExtensionFile } from './client.js';
export { ApiError } from './errors.js';
export type { Fetch, FetchInit, FetchResponse } from './fetch.js';
export type * from './create-session.js';
export type * from './types.js';
export type { Permissions, Role, SessionUser, TabMethod } from '../protocol/index.js';
export * from './webhooks.js';
