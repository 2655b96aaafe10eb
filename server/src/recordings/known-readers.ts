import type { RecordingReader } from './recording-reader.js';

/** Maximum number of readers that are kept. */
const MAX_READERS = 16;
/**
 * Maximum number of fragments in the lists of all kept readers together. Each fragment takes about 100 bytes.
 */
const MAX_FRAGMENTS = 100_000;

interface KnownReader {
  reader: RecordingReader;
  fragments: number;
}

/**
 * Keeps the most recently used readers of finished videos. A player requests a range for each seek. With a
 * kept reader, a range needs one read of the store. With a new reader, it needs about ten reads, one after
 * the other.
 */
export class KnownReaders {
  /** Readers by the id of their recording. The reader that was used last is at the end. */
  readonly #readers = new Map<string, KnownReader>();

  get(id: string): RecordingReader | undefined {
    const known = this.#readers.get(id);
    if (!known) return undefined;
    this.#readers.delete(id);
    this.#readers.set(id, known);
    return known.reader;
  }

  /** Keeps the reader of a video that no longer changes. `fragments` is the number of its fragments. */
  add(id: string, reader: RecordingReader, fragments: number): void {
    this.#readers.delete(id);
    this.#readers.set(id, { reader, fragments });
    let all = [...this.#readers.values()].reduce((sum, known) => sum + known.fragments, 0);
    for (const [oldest, known] of this.#readers) {
      if (this.#readers.size <= MAX_READERS && all <= MAX_FRAGMENTS) return;
      this.#readers.delete(oldest);
      all -= known.fragments;
    }
  }

  forget(id: string): void {
    this.#readers.delete(id);
  }
}
