import type { CallErrorCode, DisconnectReason, LeaveReason } from '../protocol/index.js';

/** Base class of the client's own errors. `code` is stable. The message is for people. */
export abstract class CloudBrowserError extends Error {
  abstract readonly code: string;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** The embed URL is invalid. Pass the `embed_url` of the session exactly as the service returned it. */
export class EmbedUrlError extends CloudBrowserError {
  readonly code = 'err_embed_url';
}

/** Messages of the `DisconnectedError` for a connection that this client ended. */
export const LEFT: Readonly<Record<LeaveReason, string>> = {
  disconnected: 'You disconnected.',
  removed: 'The element was removed from the page.',
  url_changed: 'The embed URL of the element was changed.',
};

/** The connection ended, or was never established. `reason` is the cause. */
export class DisconnectedError extends CloudBrowserError {
  readonly code = 'err_disconnected';

  constructor(
    readonly reason: DisconnectReason,
    message: string,
  ) {
    super(message);
  }
}

/** The call needs a live connection. Wait for the state `playing`. */
export class NotConnectedError extends CloudBrowserError {
  readonly code = 'err_not_connected';

  constructor(message = 'There is no connection to the session now. Wait for the state "playing".') {
    super(message);
  }
}

/** This browser or runtime lacks a feature that has no substitute. */
export class UnsupportedError extends CloudBrowserError {
  readonly code = 'err_unsupported';
}

/**
 * The session refused a call, or the browser could not perform the call. For the codes, see
 * `docs/protocol.md`.
 */
export class CallError extends CloudBrowserError {
  constructor(
    readonly code: CallErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/**
 * An upload failed. The bytes of a file did not reach the session after several attempts, or the code for
 * uploads could not be loaded. Try again with a better network.
 */
export class FileTransferError extends CloudBrowserError {
  readonly code = 'err_file_transfer';
}

/** A call got no answer in time. It is unknown if the session has performed the call. */
export class CallTimeoutError extends CloudBrowserError {
  readonly code = 'err_call_timeout';

  constructor(method: string) {
    super(`The session did not answer ${method} in time. Check the result and try again.`);
  }
}

// The minifiers of pages shorten the names of classes. Logs show the name of an error.
for (const [name, type] of Object.entries({
  EmbedUrlError,
  DisconnectedError,
  NotConnectedError,
  UnsupportedError,
  CallError,
  FileTransferError,
  CallTimeoutError,
}))
  Object.defineProperty(type, 'name', { value: name });
