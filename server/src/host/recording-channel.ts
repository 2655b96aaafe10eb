import { Socket } from 'node:net';
import { RECORDING_CHANNEL } from '../recording-protocol.js';

let channel: Socket | undefined;

/** Returns the pipe to the service for recordings. It is opened for the first recording. */
export function openRecordingChannel(): Socket {
  if (!channel) {
    channel = new Socket({ fd: RECORDING_CHANNEL, readable: false, writable: true });
    // An error means that the service has ended. Then the host ends too.
    channel.on('error', () => undefined);
    channel.unref();
  }
  return channel;
}
