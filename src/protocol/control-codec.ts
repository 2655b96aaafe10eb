import { ProtocolError } from './bytes.js';
import { decodeCall } from './calls.js';
import { decodeClipboardMessage } from './transfer/clipboard.js';
import {
  MEDIA_KINDS,
  type Hello,
  type HostMessage,
  type MediaKind,
  type Userdata,
  type ViewerMessage,
} from './control.js';
import { decodeBox, readPixelRatio } from './screen.js';

/** Longest text message that a host accepts, in characters. */
export const MAX_CONTROL_CHARS = 65_536;
/**
 * Longest text message that a viewer accepts from its host, in characters. An answer about many tabs is long,
 * because it contains their icons.
 */
const MAX_HOST_CHARS = 16_777_216;

/** Encodes a control message. */
export function encodeControl(message: ViewerMessage | HostMessage): string {
  return JSON.stringify(message);
}

/**
 * Decodes a viewer's message, which is not trusted. Checks every field and drops unknown fields. Returns
 * undefined for an unknown `type`, so that a newer viewer works with an older host. Throws
 * {@link ProtocolError}.
 */
export function decodeViewerMessage(text: string): ViewerMessage | undefined {
  const message = parseObject(text, MAX_CONTROL_CHARS);
  switch (message['type']) {
    case 'hello':
      return decodeHello(message);
    case 'second-hello':
      return { type: 'second-hello', version: number(message, 'version'), key: string(message, 'key') };
    case 'call':
      return decodeCall(message);
    case 'clipboard-offer':
    case 'clipboard-ack':
    case 'clipboard-refused':
      return decodeClipboardMessage(message['type'], message);
    case 'ping': {
      const ping = { type: 'ping' as const, id: number(message, 'id') };
      return message['active'] === true ? { ...ping, active: true } : ping;
    }
    case 'key-frame':
      return { type: 'key-frame', stream: number(message, 'stream') };
    case 'visible':
      return { type: 'visible', visible: boolean(message, 'visible') };
    case 'sound':
      return { type: 'sound', on: boolean(message, 'on') };
    case 'focus':
      return { type: 'focus', on: boolean(message, 'on') };
    case 'box':
      return decodeBox(message);
    case 'held':
      return { type: 'held' };
    case 'probe':
      return { type: 'probe' };
    case 'leave-pointer-lock':
      return { type: 'leave-pointer-lock' };
    default:
      return undefined;
  }
}

/**
 * Decodes a host's message without a check of its fields, because a viewer trusts its host. Returns undefined
 * for an unknown `type`, so that an older viewer works with a newer host. Throws {@link ProtocolError} if the
 * text is not a JSON object or is too long.
 */
export function decodeHostMessage(text: string): HostMessage | undefined {
  const message = parseObject(text, MAX_HOST_CHARS);
  switch (message['type']) {
    case 'welcome':
    case 'second-connection':
    case 'screen':
    case 'stream':
    case 'cursor':
    case 'pong':
    case 'close-warning':
    case 'notice':
    case 'answer':
    case 'event':
    case 'privacy':
    case 'agents':
    case 'handoffs':
    case 'recording':
    case 'focus':
    case 'dialog':
    case 'clipboard-offer':
    case 'clipboard-ack':
    case 'clipboard-refused':
    case 'pointer-lock':
      return message as unknown as HostMessage;
    default:
      return undefined;
  }
}

/** True if a value from JSON is user data. Null means no user data. */
export function isUserdata(value: unknown): value is Userdata {
  return value !== null && ['string', 'number', 'boolean', 'object'].includes(typeof value);
}

function decodeHello(message: Record<string, unknown>): Hello {
  const media = message['media'];
  if (!Array.isArray(media)) throw new ProtocolError('hello.media must be an array.');
  const known = media.filter((kind): kind is MediaKind => MEDIA_KINDS.includes(kind as MediaKind));
  if (known.length === 0)
    throw new ProtocolError(`hello.media must contain one of: ${MEDIA_KINDS.join(', ')}.`);
  const hello: Hello = { type: 'hello', version: number(message, 'version'), media: known };
  const resume = message['resume'];
  if (resume !== undefined && resume !== null) {
    if (typeof resume !== 'object') throw new ProtocolError('hello.resume must be an object.');
    const fields = resume as Record<string, unknown>;
    hello.resume = { userId: string(fields, 'userId'), secret: string(fields, 'secret') };
  }
  const userdata = message['userdata'];
  if (isUserdata(userdata)) hello.userdata = userdata;
  if (message['tellsHeld'] === true) hello.tellsHeld = true;
  if (message['secondConnection'] === true) hello.secondConnection = true;
  const pixelRatio = readPixelRatio(message['pixelRatio']);
  if (pixelRatio !== undefined) hello.pixelRatio = pixelRatio;
  return hello;
}

function parseObject(text: string, limit: number): Record<string, unknown> {
  if (text.length > limit) throw new ProtocolError('A control message is too long.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ProtocolError('A control message is not JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ProtocolError('A control message must be a JSON object.');
  }
  return value as Record<string, unknown>;
}

function number(message: Record<string, unknown>, field: string): number {
  const value = message[field];
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new ProtocolError(`${field} must be a number.`);
  return value;
}

function boolean(message: Record<string, unknown>, field: string): boolean {
  const value = message[field];
  if (typeof value !== 'boolean') throw new ProtocolError(`${field} must be true or false.`);
  return value;
}

function string(message: Record<string, unknown>, field: string): string {
  const value = message[field];
  if (typeof value !== 'string' || value.length > 256)
    throw new ProtocolError(`${field} must be a short string.`);
  return value;
}
