import WebSocket from 'ws';
import { CloudBrowserClient, type CreateSocket } from '../../src/core/index.js';
import type { InputWithoutSeq } from '../../src/protocol/index.js';
import { patient } from '../support/limits.js';
import { pause, until } from './deadline.js';
import { keyFor, keyOf, MODIFIER_BITS, modifierOf } from './keys.js';
import type { Session } from '../e2e/support/service.js';

/** A place on the screen: parts of its width and height, 0 to 1. */
export interface Place {
  across: number;
  down: number;
}

const CONNECT_LIMIT_MS = patient(20_000);
/** The pause between two keys of a text; this is a fast typist. */
const TYPING_INTERVAL_MS = 25;
/** Steps of a drag. */
const DRAG_STEPS = 12;

/**
 * One person at a viewer: a headless SDK client that sends input. It acknowledges every frame and decodes
 * none.
 */
export class Person {
  readonly client: CloudBrowserClient;
  /** Number of received frames. */
  frames = 0;
  /** The newest input event of this person that a frame showed. */
  shown = 0;
  #sockets = new Set<WebSocket>();

  private constructor(session: Session) {
    this.client = new CloudBrowserClient({
      embedUrl: session.embed_url,
      media: ['h264'],
      createSocket: this.#createSocket,
    });
    this.client.remote.adminToken = session.admin_token;
    this.client.on('packet', ({ stream, frame, inputSeq }) => {
      this.frames += 1;
      this.shown = inputSeq;
      this.client.acknowledge(stream, frame);
    });
  }

  /** Connects to the session. Rejects when the session refuses the person. */
  static async join(session: Session): Promise<Person> {
    const person = new Person(session);
    await person.client.connect();
    return person;
  }

  get screen(): { width: number; height: number } {
    return this.client.stream ?? this.client.welcome ?? { width: 1280, height: 720 };
  }

  /**
   * Presses keys together and releases them in reverse order: `Control+Shift+KeyT`, by `KeyboardEvent.code`.
   */
  press(combination: string): void {
    const names = combination.split('+');
    const code = names.pop() ?? '';
    let modifiers = 0;
    for (const name of names) {
      const [modifier, bit] = modifierOf(name);
      modifiers |= bit;
      this.#send({
        type: 'key',
        pressed: true,
        repeat: false,
        code: `${modifier}Left`,
        key: modifier,
        modifiers,
      });
    }
    const key = keyOf(code, (modifiers & MODIFIER_BITS.Shift) !== 0);
    this.#send({ type: 'key', pressed: true, repeat: false, code, key, modifiers });
    this.#send({ type: 'key', pressed: false, repeat: false, code, key, modifiers });
    for (const name of names.reverse()) {
      const [modifier, bit] = modifierOf(name);
      modifiers &= ~bit;
      const event = { code: `${modifier}Left`, key: modifier, modifiers };
      this.#send({ type: 'key', pressed: false, repeat: false, ...event });
    }
  }

  /** Presses a key and the first button, and does not release them. */
  hold(code: string): void {
    this.#send({ type: 'key', pressed: true, repeat: false, code, key: keyOf(code, false), modifiers: 0 });
    const place = this.#pixel({ across: 0.5, down: 0.5 });
    this.#send({ type: 'button', button: 0, pressed: true, modifiers: 0, ...place });
  }

  /**
   * Presses the key of each character. A character that an American keyboard lacks has a key of another
   * layout.
   */
  async type(text: string): Promise<void> {
    for (const key of text) {
      const [code, modifiers] = keyFor(key);
      if (modifiers === 0) {
        for (const pressed of [true, false])
          this.#send({ type: 'key', pressed, repeat: false, code, key, modifiers });
      } else {
        this.press(`Shift+${code}`);
      }
      await pause(TYPING_INTERVAL_MS);
    }
  }

  /** Finished text of an input method. */
  commit(text: string): void {
    this.#send({ type: 'text', text, modifiers: 0 });
  }

  move(place: Place): void {
    this.#send({ type: 'move', modifiers: 0, ...this.#pixel(place) });
  }

  click(place: Place, button = 0, modifiers = 0): void {
    this.move(place);
    for (const pressed of [true, false])
      this.#send({ type: 'button', button, pressed, modifiers, ...this.#pixel(place) });
  }

  async drag(from: Place, to: Place): Promise<void> {
    this.move(from);
    this.#send({ type: 'button', button: 0, pressed: true, modifiers: 0, ...this.#pixel(from) });
    for (let step = 1; step <= DRAG_STEPS; step++) {
      const part = step / DRAG_STEPS;
      const across = from.across + (to.across - from.across) * part;
      this.move({ across, down: from.down + (to.down - from.down) * part });
      await pause(TYPING_INTERVAL_MS);
    }
    this.#send({ type: 'button', button: 0, pressed: false, modifiers: 0, ...this.#pixel(to) });
  }

  scroll(place: Place, deltaY: number, notched: boolean): void {
    this.#send({ type: 'wheel', modifiers: 0, deltaX: 0, deltaY, notched, ...this.#pixel(place) });
  }

  tap(place: Place): void {
    const point = { id: 0, ...this.#pixel(place) };
    this.#send({ type: 'touch', phase: 'start', points: [point], modifiers: 0 });
    this.#send({ type: 'touch', phase: 'end', points: [], modifiers: 0 });
  }

  /** Releases everything, as when the viewer loses the focus. */
  release(): void {
    this.#send({ type: 'release', modifiers: 0 });
  }

  /** Cuts the network connection; the client then reconnects. */
  cut(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  /** Resolves when the viewer has its connection, perhaps again. */
  async playing(): Promise<void> {
    await until('the viewer is connected', CONNECT_LIMIT_MS, () => this.client.state === 'playing');
  }

  leave(): void {
    this.client.disconnect();
  }

  #send(event: InputWithoutSeq): void {
    this.client.sendInput(event);
  }

  #pixel({ across, down }: Place): { x: number; y: number } {
    const { width, height } = this.screen;
    return { x: Math.floor(across * (width - 1)), y: Math.floor(down * (height - 1)) };
  }

  readonly #createSocket: CreateSocket = (url, subprotocol, listener) => {
    const socket = new WebSocket(url, subprotocol);
    this.#sockets.add(socket);
    socket.on('open', () => listener.onOpen());
    socket.on('message', (data: Buffer, binary) => listener.onMessage(binary ? data : data.toString('utf8')));
    socket.on('error', () => undefined);
    socket.on('close', (code, reason) => {
      this.#sockets.delete(socket);
      listener.onClose(code, reason.toString());
    });
    return { send: (data) => socket.send(data), close: () => socket.close(1000) };
  };
}
