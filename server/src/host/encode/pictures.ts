import type { FrameSource } from '../capture/frame-source.js';
import type { Rect } from '../capture/rect.js';
import { Picture, type Chroma } from './picture.js';

/** The screen as it was last read, in each form that some encoder takes. It is read once for all of them. */
export class Pictures {
  readonly #pictures = new Map<Chroma, Picture>();
  /** Some picture has not seen the whole screen yet. */
  #incomplete = true;

  constructor(
    private readonly width: number,
    private readonly height: number,
  ) {}

  /** The picture of this form. A new one is empty until the next {@link read}. */
  of(chroma: Chroma): Picture {
    let picture = this.#pictures.get(chroma);
    if (!picture) {
      picture = new Picture(this.width, this.height, chroma);
      this.#pictures.set(chroma, picture);
      this.#incomplete = true;
    }
    return picture;
  }

  /** Whether all pictures show what was read last. */
  get complete(): boolean {
    return !this.#incomplete;
  }

  /** Brings all pictures up to date; tells what changed. */
  async read(source: FrameSource): Promise<Rect | undefined> {
    const everything = this.#incomplete;
    this.#incomplete = false;
    const pictures = [...this.#pictures.values()];
    return source.read((block) => {
      for (const picture of pictures) picture.take(block);
    }, everything);
  }

  close(): void {
    for (const picture of this.#pictures.values()) picture.close();
  }
}
