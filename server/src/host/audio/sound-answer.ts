import { connect } from 'node:net';

/**
 * Constants of PulseAudio's native protocol. Source: pulsecore/native-common.h, pstream.c and tagstruct.h.
 */
const COMMAND_AUTH = 8;
const PROTOCOL_VERSION = 32;
const COOKIE_BYTES = 256;
const CONTROL_CHANNEL = 0xffffffff;

/**
 * Returns the message that every client sends first: a packet descriptor, followed by values that each begin
 * with a type tag. The cookie in this message contains only zeros.
 */
function authMessage(): Buffer {
  const number = (value: number) => {
    const tagged = Buffer.alloc(5, 'L');
    tagged.writeUInt32BE(value, 1);
    return tagged;
  };
  const cookie = Buffer.alloc(5 + COOKIE_BYTES, 0);
  cookie.write('x');
  cookie.writeUInt32BE(COOKIE_BYTES, 1);
  const content = Buffer.concat([number(COMMAND_AUTH), number(0), number(PROTOCOL_VERSION), cookie]);
  const descriptor = Buffer.alloc(20);
  descriptor.writeUInt32BE(content.length, 0);
  descriptor.writeUInt32BE(CONTROL_CHANNEL, 4);
  return Buffer.concat([descriptor, content]);
}

/**
 * Resolves when a sound server has answered a client's first message, or has refused the client. A connection
 * alone does not show that the server works, because the kernel also accepts connections for a server that
 * hangs.
 */
export function soundServerAnswers(path: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(path, () => socket.write(authMessage()));
    socket.unref();
    // An error counts as an answer too: the socket emits `close` after it, and the promise resolves.
    socket.once('error', () => undefined);
    socket.once('data', () => socket.destroy());
    socket.once('close', () => resolve());
  });
}
