import {
  encodeControl,
  encodePacketHeader,
  PACKET_HEADER_BYTES,
  type Hello,
  type HostMessage,
  type MediaKind,
  type ServerDisconnectReason,
} from 'cloud-browser/protocol';
import type { WebSocket } from 'ws';
import type { PumpedFrame } from '../../stream/pump-output.js';
import type { UserInput } from '../../input/user-input.js';
import { PacedTask } from '../../../platform/time/paced-task.js';
import { closeSocket } from '../handshake.js';
import { Delivery } from '../../stream/delivery.js';
import { LinePings } from '../../stream/line-pings.js';
import { canSee } from '../users/can-use.js';
import type { Rights } from '../users/rights.js';
import { SecondConnection } from './second-connection.js';
import { IdleTimeout, SILENCE_TIMEOUTS_MS } from './idle-timeout.js';
import type { User } from '../users/known-users.js';

/** Unsent bytes in a viewer's socket above which no frame is added. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

/** Unsent bytes above which a viewer is disconnected, counting frames, events and answers. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;

/**
 * Unsent bytes above which no sound is sent, because late sound is useless. A slow connection needs about
 * half a second for these bytes.
 */
const MAX_BUFFERED_BYTES_BEFORE_SOUND = 128 * 1024;

/** Rate limit for one viewer's requests for key frames. A key frame is large, and all viewers receive it. */
const KEY_FRAME_PACE = { perSecond: 1, burst: 3 };

/** One connection of a user: its socket, its unsent data, and its input. */
export class Viewer {
  readonly delivery = new Delivery(() => performance.now());
  /** False while the viewer's page is hidden. The viewer gets no frames then. */
  visible = true;
  /** True if the viewer wants to hear the browser. */
  listens = false;
  /** True if another user is in privacy mode. Then this viewer gets no frames and may do nothing. */
  shutOut = false;
  /** True if the viewer has sent an admin token of the session. */
  admin = false;
  /** Hash of the last admin token that the viewer has sent. */
  adminBy = '';
  /** True if the connection has ended, or the session has disconnected it. */
  gone = false;
  /** True if the host closed the connection with a reason. */
  sentAway = false;
  readonly #restart: PacedTask;
  readonly #pings: LinePings;
  /** Second connection, which gets copies of frames while the network loses packets. */
  readonly second: SecondConnection;
  readonly #silences = [
    new IdleTimeout(SILENCE_TIMEOUTS_MS.gone, () => this.terminate()),
    new IdleTimeout(SILENCE_TIMEOUTS_MS.holding, () => {
      if (this.input.holdsAny) this.input.releaseAll();
    }),
  ];
  /**
   * Number of the newest input event that the display has received. {@link markCapture} copies it to
   * `#capturedSeq` when the picture is read.
   */
  performedSeq = 0;
  #capturedSeq = 0;

  constructor(
    readonly user: User,
    readonly media: MediaKind,
    private readonly socket: WebSocket,
    /** Replaced when the browser is restarted. */
    public input: UserInput,
    /** Makes the next frame a key frame. */
    restart: () => void,
    hello: Pick<Hello, 'secondConnection'>,
  ) {
    this.#restart = new PacedTask(restart, KEY_FRAME_PACE);
    this.#pings = new LinePings(this.delivery.line, socket);
    this.#pings.start();
    const first = {
      send: (message: HostMessage) => this.send(message),
      sendBytes: (bytes: Uint8Array) => socket.send(bytes),
      line: this.delivery.line,
    };
    this.second = new SecondConnection(first, hello.secondConnection === true);
  }

  get userId(): string {
    return this.user.id;
  }

  /** The rights of the viewer's user. `canUse` decides which of them count now. */
  get rights(): Rights {
    return this.user.rights;
  }

  /**
   * True if the host can start to encode a frame for this viewer now. A viewer that missed a frame waits
   * until all sent frames are acknowledged.
   */
  get ready(): boolean {
    return this.#reachable && (this.delivery.needsKeyFrame ? this.delivery.empty : this.delivery.ready);
  }

  get #reachable(): boolean {
    return this.visible && canSee(this) && this.socket.bufferedAmount <= MAX_BUFFERED_BYTES;
  }

  /** True if the viewer wants to hear the browser and may hear it. */
  get hears(): boolean {
    return this.listens && canSee(this);
  }

  /** Unsent bytes in the viewer's socket. */
  get backlog(): number {
    return this.socket.bufferedAmount;
  }

  /**
   * Starts the timeout for confirmations of held keys. Call it if the viewer has announced such
   * confirmations.
   */
  expectConfirmations(): void {
    const { unconfirmed } = SILENCE_TIMEOUTS_MS;
    this.#silences.push(new IdleTimeout(unconfirmed, () => this.input.releaseUnconfirmedKeys()));
  }

  /** Records that a message has arrived. */
  heard(): void {
    for (const silence of this.#silences) silence.heard();
  }

  /** Ends the viewer after the end of its connection. Releases its keys and buttons. */
  left(): void {
    this.gone = true;
    this.#restart.close();
    this.#pings.close();
    this.second.close();
    for (const silence of this.#silences) silence.close();
    this.input.close();
  }

  /**
   * Requests a key frame, because the viewer's decoder failed or has not shown a picture yet. All viewers of
   * the stream receive it.
   */
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

  /** Sends a frame, or records that this viewer has missed one. */
  sendFrame(kind: 'video' | 'image', stream: number, frame: PumpedFrame): void {
    const { delivery } = this;
    const takes = delivery.needsKeyFrame ? frame.keyFrame && delivery.empty : delivery.takes;
    if (!takes || !this.#reachable) {
      delivery.needsKeyFrame = true;
      return;
    }
    const { number, keyFrame, refinement, captureTime, area } = frame;
    const inputSeq = this.#capturedSeq;
    const header = { kind, keyFrame, refinement, stream, frame: number, captureTime, inputSeq, area };
    const packet = Buffer.allocUnsafe(PACKET_HEADER_BYTES + frame.data.length);
    packet.set(encodePacketHeader(header), 0);
    frame.data.copy(packet, PACKET_HEADER_BYTES);
    delivery.needsKeyFrame = false;
    delivery.sent(number, packet.length);
    this.second.sendFrame(stream, packet);
    this.#pings.frameSent(packet.length);
  }

  /** Sends an encoded sound packet, if the viewer wants sound and may hear it. */
  sendSound(packet: Uint8Array): void {
    const late = this.socket.bufferedAmount > MAX_BUFFERED_BYTES_BEFORE_SOUND;
    if (this.hears && !late && this.socket.readyState === this.socket.OPEN) this.socket.send(packet);
  }

  /** Sends a chunk of a clipboard transfer. */
  sendChunk(chunk: Uint8Array): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(chunk);
  }

  /** Ends the connection without a reason, because the viewer would not receive it. */
  terminate(): void {
    this.socket.terminate();
  }

  /** Closes the connection with a reason. */
  close(reason: ServerDisconnectReason, message: string): void {
    this.sentAway = true;
    closeSocket(this.socket, reason, message);
  }
}
