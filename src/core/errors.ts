import type { CallErrorCode, DisconnectReason } from '../protocol/index.js';

/** The root of every error that this SDK throws by itself. `code` is stable, the message is for people. */
export abstract class CloudBrowserError extends Error {
  abstract readonly code: string;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** The embed URL cannot be used. Pass the `embed_url` of the session exactly as the service answered it. */
export class EmbedUrlError extends CloudBrowserError {
  readonly code = 'err_embed_url';
}

/** The message of a `DisconnectedError` with the reason `request` when this side ended the connection, and not the session. */
export const DISCONNECTED_HERE = 'You disconnected.';

/** The connection is over, or never came about; `reason` tells why. */
export class DisconnectedError extends CloudBrowserError {
  readonly code = 'err_disconnected';

  constructor(
    readonly reason: DisconnectReason,
    message: string,
  ) {
    super(message);
  }
}

/** Something was asked that needs a live connection. Wait for the state `playing`. */
export class NotConnectedError extends CloudBrowserError {
  readonly code = 'err_not_connected';

  constructor(message = 'There is no connection to the session now; wait for the state "playing".') {
    super(message);
  }
}

/** This browser or runtime lacks something that has no substitute. */
export class UnsupportedError extends CloudBrowserError {
  readonly code = 'err_unsupported';
}

/** The session refused a call, or the browser could not carry it out. The code says which, see `docs/protocol.md`. */
export class CallError extends CloudBrowserError {
  constructor(
    readonly code: CallErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** The bytes of a file did not reach the session, although it was tried several times. Try again when the network is better. */
export class FileTransferError extends CloudBrowserError {
  readonly code = 'err_file_transfer';
}

/** A call got no answer. The session may have carried it out or not. */
export class CallTimeoutError extends CloudBrowserError {
  readonly code = 'err_call_timeout';

  constructor(method: string) {
    super(`The session did not answer ${method} in time; look at the state and try again.`);
  }
}
