import { Socket, type Server } from 'node:net';
import type { ServerDisconnectReason } from 'cloud-browser/protocol';
import {
  FILE_CHANNEL,
  type ExpectedScreen,
  type FromHost,
  type HostPlace,
  type ToHost,
} from '../host-protocol.js';
import { EarlyParts } from './workstation/early-parts.js';
import { becomeExpendable, HOST_SCORE } from './limits/kernel-walls.js';
import { dropPrivileges } from './sandbox/privileges.js';
import { SessionHost } from './session-host.js';
import { WarmWorkstation } from './workstation/warm-workstation.js';
import { Workstation } from './workstation/workstation.js';

/**
 * The session host's process. The service forks it. The arguments are the host's place (its directories and
 * user id) and the session's screen, if the screen is known. The process becomes the session's user, sends
 * `ready`, and serves one session. It ends when that session or the service ends.
 */
function main(): void {
  const { place, expected } = argumentsOf(process.argv.slice(2));
  becomeExpendable(HOST_SCORE);
  dropPrivileges(place);
  process.umask(0o077);
  const early = new EarlyParts(place, expected);

  const tell = (message: FromHost) => {
    if (process.connected) process.send?.(message);
  };
  let host: SessionHost | undefined;
  let warm: WarmWorkstation | undefined;
  const giveNetwork = (listener: unknown) => {
    const message: FromHost = { type: 'network' };
    if (process.connected) process.send?.(message, listener as Server);
  };
  // Ignores a failure here. The session then does not start, and reports the reason.
  early.network.then((network) => network.listener).then(giveNetwork, () => undefined);

  const stopEarly = async () => {
    await warm?.stop();
    await early.stop();
  };

  const exit = () => {
    // Called when all messages are sent and all parts are stopped.
    if (process.connected) process.disconnect();
    setImmediate(() => process.exit(0));
  };

  process.on('message', (message: ToHost, handle: unknown) => {
    switch (message.type) {
      case 'prepare':
        if (host || warm) return;
        warm = new WarmWorkstation(
          (listener) => Workstation.start(message.session, message.limits, place, early, listener),
          (problem) =>
            tell(problem === undefined ? { type: 'prepared' } : { type: 'unprepared', message: problem }),
        );
        return;
      case 'start':
        if (host) return;
        host = new SessionHost(
          message,
          place,
          early,
          (told) => {
            if (told.type !== 'ended') return tell(told);
            if (process.connected) process.send?.(told, undefined, undefined, exit);
            else exit();
          },
          warm,
        );
        host.orders.serveFiles(new Socket({ fd: FILE_CHANNEL }));
        void host.start();
        return;
      case 'viewer':
        if (handle instanceof Socket && host) host.takeViewer(message.viewer, handle);
        return;
      case 'automation':
        if (handle instanceof Socket && host) host.orders.takeProgram(message.client, handle);
        return;
      case 'bookmarks':
        void host?.orders.addBookmarks(message.items);
        return;
      case 'call':
        void host?.orders.call(message);
        return;
      case 'abandon':
        host?.orders.abandon(message.call);
        return;
      case 'freezer':
        host?.takeFreezer(message.file);
        return;
      case 'record':
      case 'endRecording':
      case 'marker':
      case 'recordedKeyFrame':
        host?.orders.takeRecordingMessage(message);
        return;
      case 'authorized':
        host?.authorized(message.request, message.answer);
        return;
      case 'admitAdmin':
        host?.admitAdmin(message.tokenId, message.hash);
        return;
      case 'revoke':
        host?.endToken(message.tokenId, message.reason);
        return;
      case 'interrupted':
        host?.interrupted(message.what);
        return;
      case 'closeWarning':
        host?.closeWarning(message.kind, message.delay);
        return;
      case 'ping':
        tell({ type: 'pong' });
        return;
      case 'stop':
        if (host) void host.end(message.reason, endedBy(message.reason));
        else void stopEarly().finally(exit);
    }
  });

  // The service has ended. No process of the session may outlive the service.
  process.on('disconnect', () => {
    if (host) void host.end('ended', 'The service has ended.').finally(exit);
    else void stopEarly().finally(exit);
  });
  // Ignores signals to the whole process group, such as Ctrl+C in a terminal. The service also receives them,
  // and stops its hosts.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

  tell({ type: 'ready' });
}

/** Returns the message for the viewers of a session that the service ends. */
function endedBy(reason: ServerDisconnectReason): string {
  return reason === 'ended' ? 'The service was stopped, or ended the session.' : 'The session was ended.';
}

/** Parses the arguments that the service makes with `hostArguments`. */
function argumentsOf([place = '', expected]: readonly string[]): {
  place: HostPlace;
  expected?: ExpectedScreen;
} {
  return {
    place: JSON.parse(place) as HostPlace,
    ...(expected !== undefined && { expected: JSON.parse(expected) as ExpectedScreen }),
  };
}

main();
