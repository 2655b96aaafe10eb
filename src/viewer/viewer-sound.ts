import type { CloudBrowserClient } from '../core/index.js';
import { LatePart } from '../core/late-part.js';
import { canPlaySound, NO_SOUND, SoundOutput, type SoundFigures, type SoundPlayer } from '../media/index.js';
import type { SoundPacket } from '../protocol/index.js';

/** The module that is loaded later. */
interface PlayerPart {
  SoundPlayer: new (output: SoundOutput) => SoundPlayer;
}

/**
 * Sound of one viewer. The session sends sound only while the volume is above 0, or after {@link tap} was
 * called. The player is loaded after the first picture, or with the first sound.
 */
export class ViewerSound {
  readonly #client: CloudBrowserClient;
  /**
   * Created late, with the first sound or track, because browsers log a warning if it is created without a
   * user gesture.
   */
  #output: SoundOutput | undefined;
  #part: LatePart<PlayerPart> | undefined;
  #makePlayer: ((output: SoundOutput) => SoundPlayer) | undefined;
  #player: SoundPlayer | undefined;
  #volume: number;
  /** True if {@link tap} was called. A recorder then needs the sound, independent of the volume. */
  #tapped = false;
  #closed = false;

  /**
   * @param onBlocked see {@link SoundOutputEvents}
   * @param onFailure called when the player could not be loaded. Loading is tried again
   */
  constructor(
    client: CloudBrowserClient,
    volume: number,
    private readonly onBlocked: (blocked: boolean) => void,
    private readonly onFailure: (error: Error) => void,
    private readonly load: () => Promise<PlayerPart> = () => import('../media/sound/sound-player.js'),
  ) {
    this.#client = client;
    this.#volume = checked(volume);
    client.on('sound', this.#push);
    this.#ask();
  }

  get volume(): number {
    return this.#volume;
  }

  /** Throws RangeError for values outside 0 to 1. */
  set volume(volume: number) {
    this.#volume = checked(volume);
    if (this.#output) this.#output.volume = volume;
    this.#ask();
  }

  get blocked(): boolean {
    return this.#output?.blocked ?? false;
  }

  get figures(): SoundFigures {
    return this.#player?.figures ?? NO_SOUND;
  }

  unblock(): void {
    this.#output?.unblock();
  }

  pictureShown(captureTime: number): void {
    this.#want();
    this.#player?.pictureShown(captureTime);
  }

  /** Returns a copy of the sound as a track. Undefined if sound cannot be played, or after {@link close}. */
  tap(): MediaStreamTrack | undefined {
    if (this.#closed || !canPlaySound()) return undefined;
    this.#tapped = true;
    this.#ask();
    return this.#open().tap();
  }

  /**
   * Sends the sound to a track instead of the speakers, and returns the track. Undefined if sound cannot be
   * played, or after {@link close}.
   */
  capture(): MediaStreamTrack | undefined {
    return this.#closed || !canPlaySound() ? undefined : this.#open().capture();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#client.off('sound', this.#push);
    this.#client.setSound(false);
    this.#part?.close();
    this.#player?.close();
    this.#output?.close();
  }

  readonly #push = (packet: SoundPacket): void => {
    this.#want();
    const output = this.#open();
    if (this.#player) this.#player.push(packet);
    // While the player is loading, sound is dropped. The output still reports if the browser blocks sound.
    else output.come();
  };

  #open(): SoundOutput {
    if (!this.#output) {
      this.#output = new SoundOutput().on('blocked', this.onBlocked);
      this.#output.volume = this.#volume;
      this.#player = this.#makePlayer?.(this.#output);
    }
    return this.#output;
  }

  #want(): void {
    if (this.#closed || !canPlaySound()) return;
    this.#part ??= new LatePart({
      load: this.load,
      onLoaded: ({ SoundPlayer: Player }) => {
        this.#makePlayer = (output) => new Player(output);
        if (this.#output) this.#player = this.#makePlayer(this.#output);
      },
      onFailure: this.onFailure,
    });
  }

  #ask(): void {
    if (!this.#closed) this.#client.setSound((this.#volume > 0 || this.#tapped) && canPlaySound());
  }
}

function checked(volume: number): number {
  if (!(volume >= 0 && volume <= 1)) throw new RangeError(`volume must be from 0 to 1, not ${volume}.`);
  return volume;
}
