import type { ProcessExit } from '../../platform/process/child-process.js';
import { OpusEncoder } from './opus-encoder.js';
import { systemClock } from '../../platform/time/clock.js';
import { Watchdog } from '../../platform/process/watchdog.js';
import { SoundCard } from './sound-card.js';
import { SoundPackets } from './sound-packets.js';

/** Maximum number of restarts of the sound server in a session. */
const MAX_RESTARTS = 5;

/** Receiver of a session's sound. */
export interface SoundListener {
  /** Returns true if a viewer wants sound now. */
  wanted(): boolean;
  /** Receives encoded `SoundPacket`s. */
  onSound(packet: Uint8Array): void;
  /** Called when the sound server was restarted. Programs that play sound must connect again. */
  onRestart(): void;
  /** Called when the sound server has not answered for this many milliseconds and is killed. */
  onCardHung(milliseconds: number): void;
  /** Called when the sound server ended unexpectedly. The host starts it again. */
  onCardEnded(exit: ProcessExit): void;
  /**
   * Called with a sentence when the sound cannot start or has stopped for good. The session continues without
   * sound.
   */
  onFailure(message: string): void;
}

/**
 * The sound of a session: the sound server and the encoder. The sound server starts before the host knows its
 * session, so {@link play} sets the listener later. If the sound server ends, this class restarts it.
 */
export class Sound {
  #listener: SoundListener | undefined;
  #failure: string | undefined;
  #card: Promise<SoundCard | undefined>;
  #restarts = 0;
  #stopping = false;
  #encoder: OpusEncoder | undefined;
  #packets: SoundPackets | undefined;
  #watchdog: Watchdog | undefined;
  #watchPaused = false;
  /** Starts the checks of the current sound server. */
  #watch: () => Watchdog | undefined = () => undefined;

  constructor(private readonly directory: string) {
    this.#card = this.#start();
  }

  /** Resolves when the browser can play, or when the start failed. */
  get ready(): Promise<unknown> {
    return this.#card;
  }

  /** Sends the sound to this listener from now on. */
  play(listener: SoundListener): void {
    this.#listener = listener;
    if (this.#failure) listener.onFailure(this.#failure);
  }

  /** Time of the last packet that was not silent, in milliseconds of the monotonic clock. */
  get soundedAt(): number {
    return this.#packets?.soundedAt ?? -Infinity;
  }

  /** Stops the checks while the sound server is frozen, or starts them again. */
  pauseWatch(paused: boolean): void {
    this.#watchPaused = paused;
    this.#watchdog?.stop();
    this.#watchdog = paused ? undefined : this.#watch();
  }

  /** Stops the sound server. Safe to call twice. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await (await this.#card)?.stop();
    this.#encoder?.close();
    this.#encoder = undefined;
  }

  async #start(): Promise<SoundCard | undefined> {
    try {
      const card = await SoundCard.start(this.directory);
      const packets = new SoundPackets({
        encode: (samples) => (this.#encoder ??= new OpusEncoder()).encode(samples),
        wanted: () => this.#listener?.wanted() ?? false,
        send: (packet) => this.#listener?.onSound(packet),
        now: () => performance.now(),
      });
      this.#packets = packets;
      card.samples.on('data', (samples: Buffer) => packets.push(samples));
      this.#watch = () =>
        Watchdog.start({
          clock: systemClock,
          ask: () => card.answers(),
          onHang: (milliseconds) => {
            this.#listener?.onCardHung(milliseconds);
            card.process.kill();
          },
        });
      // If the session was frozen while the sound server started, {@link pauseWatch} starts the checks later.
      if (!this.#watchPaused) this.#watchdog = this.#watch();
      void card.process.exited.then((exit) => {
        this.#watch = () => undefined;
        this.#watchdog?.stop();
        this.#ended(card, exit);
      });
      return card;
    } catch (error) {
      this.#fail(`There is no sound: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  #ended(card: SoundCard, exit: ProcessExit): void {
    card.samples.destroy();
    if (this.#stopping) return;
    this.#listener?.onCardEnded(exit);
    this.#restarts += 1;
    if (this.#restarts <= MAX_RESTARTS) {
      this.#card = this.#start();
      void this.#card.then((started) => started && this.#listener?.onRestart());
    } else this.#fail('PulseAudio keeps ending. There is no sound any more.');
  }

  #fail(message: string): void {
    this.#failure = message;
    this.#listener?.onFailure(message);
  }
}
