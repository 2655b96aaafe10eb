import { SharedClipboard } from '../../server/src/host/input/shared-clipboard.js';
import type { Clock } from '../../server/src/platform/time/clock.js';
import type { ClipboardData } from '../../src/protocol/index.js';

/** The clipboard of a display, without a display. `said` records the requests in order. */
export class FakeDisplayClipboard {
  readonly said: string[] = [];
  /** Content that a program of the display has copied. */
  content: ClipboardData = new Map();
  onCopied: () => void = () => undefined;
  /** Replaces how it is read. */
  reading: (() => Promise<ClipboardData>) | undefined;
  readonly owner = {
    data: undefined as ClipboardData | undefined,
    onTaken: () => undefined,
    own: (data: ClipboardData) => {
      this.owner.data = data;
      this.said.push(`own ${[...data].map(([type, { byteLength }]) => `${type} ${byteLength}`).join(', ')}`);
      return Promise.resolve();
    },
    release: () => {
      this.said.push('release');
      [this.owner.data, this.content] = [undefined, new Map()];
      return Promise.resolve();
    },
    disown: () => {
      this.owner.data = undefined;
      this.said.push('disown');
      return Promise.resolve();
    },
  };

  types = async () => [...(await this.read()).keys()];
  read = () => (this.reading ? this.reading() : Promise.resolve(this.owner.data ?? this.content));
  close = () => undefined;

  /** A program copies a text. */
  copies(text: string): void {
    this.content = new Map([['text/plain', new TextEncoder().encode(text)]]);
    this.owner.data = undefined;
    this.onCopied();
  }
}

/** A session's clipboard on such a display. */
export function fakeClipboard(display = new FakeDisplayClipboard(), clock?: Clock): SharedClipboard {
  return new SharedClipboard(display as unknown as ConstructorParameters<typeof SharedClipboard>[0], clock);
}
