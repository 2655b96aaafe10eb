import { DisconnectedError, openWebSocket, type CreateSocket } from '../core/index.js';
import { closeCodeOf } from '../protocol/index.js';

/** The Content-Security-Policy of the page forbids the connection to the session. */
export class BlockedError extends DisconnectedError {
  /** @param address origin that the policy must allow */
  constructor(readonly address: string) {
    super(
      'unsupported',
      `The Content-Security-Policy of this page forbids the connection. It must allow ${address} in connect-src.`,
    );
  }
}

/**
 * Returns a function that opens sockets. A socket that the page's Content-Security-Policy forbids ends the
 * connection at once. The socket itself reports a lost connection, which the client would try again.
 *
 * @param onBlocked called before the connection ends
 */
export const socketsThatReport =
  (onBlocked: (error: BlockedError) => void = () => undefined): CreateSocket =>
  (url, subprotocol, listener) => {
    const { origin, protocol } = new URL(url);
    const watch = new AbortController();
    document.addEventListener(
      'securitypolicyviolation',
      ({ disposition, effectiveDirective, blockedURI }) => {
        if (disposition !== 'enforce' || effectiveDirective !== 'connect-src') return;
        // Some browsers report only the scheme.
        if (!blockedURI.startsWith(origin) && `${blockedURI}:` !== protocol) return;
        watch.abort();
        const error = new BlockedError(origin);
        onBlocked(error);
        listener.onClose(closeCodeOf('unsupported'), error.message);
      },
      { signal: watch.signal },
    );
    return openWebSocket(url, subprotocol, {
      ...listener,
      onOpen() {
        watch.abort();
        listener.onOpen();
      },
      onClose(code, message) {
        watch.abort();
        listener.onClose(code, message);
      },
    });
  };
