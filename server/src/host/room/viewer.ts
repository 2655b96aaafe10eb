import {
  encodeControl,
  encodePacketHeader,
  PACKET_HEADER_BYTES,
  type HostMessage,
  type MediaKind,
  type ServerDisconnectReason,
} from 'cloud-browser/protocol';
import type { WebSocket } from 'ws';
import type { PumpedFrame } from '../stream/frame-pump.js';
import type { UserInput } from '../input/user-input.js';
import { PacedTask } from '../../platform/paced-task.js';
import { closeSocket } from './handshake.js';
import { Delivery } from '../stream/delivery.js';
import { NO_RIGHTS, type Rights } from './users/rights.js';
import { Silence, SILENCE_TIMEOUTS_MS } from './silence.js';
import type { User } from './users/known-users.js';

/** What waits in the socket of a viewer that does not read; beyond it no frame is added. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

/** The same for everything: who has so much unread, of frames, events and answers, is not there any more. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;

/** The same for sound, which is of no use when it is late: about half a second of a slow line. */
const MAX_BUFFERED_BYTES_BEFORE_SOUND = 128 * 1024;

/** How often one viewer may ask for key frames, which are large, and everybody's. */
const KEY_FRAME_PACE = { perSecond: 1, burst: 3 };

/** One connection of a user: its socket, what is on its way to it, and its input. */
export class Viewer {
  readonly delivery = new Delivery(() => performance.now());
  /** False while the page is hidden: no frames then. */
  visible = true;
  /** Wants to hear the browser. */
  listens = false;
  /** Another user has the browser to themselves: this one gets no frames and may do nothing. */
  shutOut = false;
  /** Has shown the session's admin token. */
  admin = false;
  /** The connection has ended, or was sent away. */
  gone = false;
  /** The connection was ended with a reason. */
  sentAway = false;
  readonly #restart: PacedTask;
  readonly #silences = [
    new Silence(SILENCE_TIMEOUTS_MS.gone, () => this.terminate()),
    new Silence(SILENCE_TIMEOUTS_MS.holding, () => {
      if (this.input.holdsKeys) this.input.releaseAll();
    }),
  ];
  /** The newest input event that the display has, and what it was when the current picture was read. */
  performedSeq = 0;
  #capturedSeq = 0;

  constructor(
    readonly user: User,
    readonly media: MediaKind,
    private readonly socket: WebSocket,
    /** Replaced when the browser is started again. */
    public input: UserInput,
    /** Makes the next frame one that needs no earlier one. */
    restart: () => void,
  ) {
    this.#restart = new PacedTask(restart, KEY_FRAME_PACE);
  }

  get userId(): string {
    return this.user.id;
  }

  /** What this viewer may do at this moment. */
  get rights(): Rights {
    return this.shutOut ? NO_RIGHTS : this.user.rights;
  }

  /** Whether a frame can be sent now; a viewer that missed one waits until its pipe is empty. */
  get ready(): boolean {
    if (!this.visible || this.shutOut || this.socket.bufferedAmount > MAX_BUFFERED_BYTES) return false;
    return this.delivery.needsKeyFrame ? this.delivery.empty : this.delivery.ready;
  }

  /** Bytes that it has not read. */
  get backlog(): number {
    return this.socket.bufferedAmount;
  }

  /** It has promised to confirm the keys that it holds. */
  expectConfirmations(): void {
    const { unconfirmed } = SILENCE_TIMEOUTS_MS;
    this.#silences.push(new Silence(unconfirmed, () => this.input.releaseUnconfirmedKeys()));
  }

  /** A message has come. */
  heard(): void {
    for (const silence of this.#silences) silence.heard();
  }

  /** The connection has ended: lets go of everything that it held. */
  left(): void {
    this.gone = true;
    this.#restart.close();
    for (const silence of this.#silences) silence.close();
    this.input.close();
  }

  /** Its decoder cannot go on, or it sees nothing yet: asks for a key frame, which all who watch get. */
  askKeyFrame(): void {
    this.#restart.ask();
  }

  markCapture(): void {
    this.#capturedSeq = this.performedSeq;
  }

  send(message: HostMessage): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.socket.send(encodeControl(message));
    if (this.socket.bufferedAmount > MAX_UNREAD_BYTES) this.terminate();
  }

  /** Sends a frame, or notes that this viewer has now missed one. */
  sendFrame(kind: 'video' | 'image', stream: number, frame: PumpedFrame): void {
    if (!this.ready || (this.delivery.needsKeyFrame && !frame.keyFrame)) {
      this.delivery.needsKeyFrame = true;
      return;
    }
    const { number, keyFrame, refinement, captureTime, area } = frame;
    const inputSeq = this.#capturedSeq;
    const header = { kind, keyFrame, refinement, stream, frame: number, captureTime, inputSeq, area };
    const packet = Buffer.allocUnsafe(PACKET_HEADER_BYTES + frame.data.length);
    packet.set(encodePacketHeader(header), 0);
    frame.data.copy(packet, PACKET_HEADER_BYTES);
    this.delivery.needsKeyFrame = false;
    this.delivery.sent(number);
    this.socket.send(packet);
  }

  /** Sends an encoded sound packet, to who wants to hear and may. */
  sendSound(packet: Uint8Array): void {
    if (!this.listens || this.shutOut || this.socket.bufferedAmount > MAX_BUFFERED_BYTES_BEFORE_SOUND) return;
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(packet);
  }

  /** Sends a chunk of a clipboard transfer. */
  sendChunk(chunk: Uint8Array): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(chunk);
  }

  /** Ends the connection without a reason: the other side is not there any more. */
  terminate(): void {
    this.socket.terminate();
  }

  /** Ends the connection and says why. */
  close(reason: ServerDisconnectReason, message: string): void {
    this.sentAway = true;
    closeSocket(this.socket, reason, message);
  }
}
