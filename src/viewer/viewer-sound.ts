import type { CloudBrowserClient } from '../core/index.js';
import { canPlaySound, NO_SOUND, SoundPlayer, type SoundFigures } from '../media/index.js';
import type { SoundPacket } from '../protocol/index.js';

/** The sound of one viewer. What nobody would hear is not sent. */
export class ViewerSound {
  readonly #client: CloudBrowserClient;
  /** Made with the first sound: browsers complain of a player that their user has not asked for. */
  #player: SoundPlayer | undefined;
  #volume: number;
  /** Somebody else than the speakers wants it, at any volume. */
  #tapped = false;
  #closed = false;

  /** @param onBlocked see {@link SoundPlayer} */
  constructor(
    client: CloudBrowserClient,
    volume: number,
    private readonly onBlocked: (blocked: boolean) => void,
  ) {
    this.#client = client;
    this.#volume = checked(volume);
    client.on('sound', this.#push);
    this.#ask();
  }

  get volume(): number {
    return this.#volume;
  }

  /** Throws RangeError outside of 0 to 1. */
  set volume(volume: number) {
    this.#volume = checked(volume);
    if (this.#player) this.#player.volume = volume;
    this.#ask();
  }

  get blocked(): boolean {
    return this.#player?.blocked ?? false;
  }

  get figures(): SoundFigures {
    return this.#player?.figures ?? NO_SOUND;
  }

  unblock(): void {
    this.#player?.unblock();
  }

  pictureShown(captureTime: number): void {
    this.#player?.pictureShown(captureTime);
  }

  /** A copy of the sound as a track; undefined where sound cannot be played. */
  tap(): MediaStreamTrack | undefined {
    if (this.#closed || !canPlaySound()) return undefined;
    this.#tapped = true;
    this.#ask();
    return this.#open().tap();
  }

  /** The sound as a track; undefined where sound cannot be played. */
  capture(): MediaStreamTrack | undefined {
    return this.#closed || !canPlaySound() ? undefined : this.#open().capture();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#client.off('sound', this.#push);
    this.#client.setSound(false);
    this.#player?.close();
  }

  readonly #push = (packet: SoundPacket): void => this.#open().push(packet);

  #open(): SoundPlayer {
    if (!this.#player) {
      this.#player = new SoundPlayer(this.onBlocked);
      this.#player.volume = this.#volume;
    }
    return this.#player;
  }

  #ask(): void {
    if (!this.#closed) this.#client.setSound((this.#volume > 0 || this.#tapped) && canPlaySound());
  }
}

function checked(volume: number): number {
  if (!(volume >= 0 && volume <= 1)) throw new RangeError(`volume must be from 0 to 1, not ${volume}.`);
  return volume;
}
