/**
 * The REST API and the webhooks of the service, for backends. Works in Node, in edge runtimes and in
 * browsers.
 */
export { CloudBrowserApi, type ApiOptions, type ExtensionFile } from './client.js';
export { ApiError } from './errors.js';
export type { Fetch, FetchInit, FetchResponse } from './fetch.js';
export type * from './create-session.js';
export type * from './types.js';
export type * from './computer-options.js';
export type * from './recordings.js';
export type { HandoffView, SessionUpload } from './session-programs.js';
export type {
  AccessibilityText,
  ComputerMethod,
  ComputerResult,
  HandoffOutcome,
  HandoffRequest,
  Screenshot,
  ScreenshotOptions,
} from '../protocol/index.js';
export type { Permissions, Role, SessionUser, TabMethod } from '../protocol/index.js';
export * from './webhooks.js';
