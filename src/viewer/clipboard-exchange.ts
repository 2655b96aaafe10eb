import { heard } from '../core/deferred.js';
import {
  CallError,
  CloudBrowserError,
  type CloudBrowserClient,
  type ClipboardContent,
} from '../core/index.js';
import type { AttachedInput, PastedContent, PasteOutlet } from '../input/index.js';
import type { ClipboardType, CopiedNotice } from '../protocol/index.js';
import type { CopyState, RemoteCopy } from './copy-state.js';
import { readLocal, ReadPermission, writeLocal, writeTextsLocally } from './local-clipboard.js';

/** What people read. */
const TEXTS = {
  waiting: 'Copied in the remote browser. One click copies it here.',
  copied: 'Copied.',
  cannot:
    'This browser does not let the page copy this. Open it over https, in a frame that may write the clipboard.',
};
/** How long an outcome is told. Milliseconds. */
const COPIED_MS = 2_000;
const FAILED_MS = 8_000;
/** How long one click still copies what could not be copied at once. Milliseconds. */
const WAITING_MS = 20_000;
/** A finger that rests so long opens a menu in the remote browser. Milliseconds. */
const LONG_PRESS_MS = 400;

/** What the exchange needs of its viewer. */
export interface ExchangeParts {
  readonly client: CloudBrowserClient;
  readonly container: HTMLElement;
  /** Undefined while the viewer is for viewing only. */
  input(): Pick<AttachedInput, 'paste' | 'offer' | 'copy' | 'copied'> | undefined;
  onCopy(copy: RemoteCopy): void;
  /** Undefined: what was waiting is not offered any more. */
  onState(state: CopyState | undefined): void;
}

/** Takes what is copied in the remote browser to the local clipboard, and what is pasted here to the remote one. */
export class ClipboardExchange implements PasteOutlet {
  readonly #listening = new AbortController();
  #waiting: ClipboardContent | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #latest = 0;
  #stop: (() => void) | undefined;
  /** The next click on the picture copies what is waiting. */
  #byClick = false;
  #asked = false;
  #touched = 0;

  readonly #permission = new ReadPermission();
  readonly #viewer: ExchangeParts;
  #state: CopyState | undefined;

  constructor(viewer: ExchangeParts) {
    this.#viewer = viewer;
    const { client, container } = viewer;
    // A session that is older knows no such event: it is told by nobody then.
    client.clipboard
      .onCopied((copied) => this.#copied(copied))
      .then(
        (stop) => {
          this.#stop = stop;
          if (this.#listening.signal.aborted) stop();
        },
        () => undefined,
      );
    const options = { signal: this.#listening.signal, capture: true, passive: true };
    // Who comes back from elsewhere may have copied something there.
    window.addEventListener('blur', () => (this.#byClick = false), { signal: this.#listening.signal });
    const press = () => {
      if (this.#byClick) this.copyNow();
    };
    for (const type of ['mousedown', 'touchend'] as const) container.addEventListener(type, press, options);
    container.addEventListener('mousedown', ({ button }) => button === 2 && this.#offer(), options);
    container.addEventListener('touchstart', ({ timeStamp }) => void (this.#touched = timeStamp), options);
    container.addEventListener(
      'touchend',
      ({ timeStamp }) => timeStamp - this.#touched > LONG_PRESS_MS && this.#offer(),
      options,
    );
  }

  /** What became of the newest copy or paste, for as long as it matters. */
  get state(): CopyState | undefined {
    return this.#state;
  }

  /** See `ViewerClipboard.paste`. */
  async paste(): Promise<void> {
    this.#viewer.input()?.paste(await readLocal());
  }

  /** See `ViewerClipboard.copy`. */
  copy(): void {
    this.#viewer.input()?.copy();
  }

  get takesPaste(): boolean {
    return this.#viewer.client.clipboard.takesPaste;
  }

  async upload({ text, html, png }: PastedContent): Promise<number | undefined> {
    try {
      const bytes = png && new Uint8Array(await png.arrayBuffer());
      const upload = this.#viewer.client.clipboard.upload({
        ...(text !== undefined && { text }),
        ...(html !== undefined && { html }),
        ...(bytes && { png: bytes }),
      });
      if (!upload.isSent) await upload.sent;
      return upload.transfer;
    } catch (error) {
      // Who does not control the browser types in vain, too.
      const silent = error instanceof CallError && error.code === 'err_forbidden';
      if (!silent) this.#failed(error);
      return undefined;
    }
  }

  async offer(content: PastedContent): Promise<void> {
    const transfer = await this.upload(content);
    // Without control of the browser the menu is not opened either.
    if (transfer !== undefined) await this.#viewer.client.clipboard.bring(transfer).catch(() => undefined);
  }

  /** In a gesture: copies what is waiting. False: nothing is. */
  copyNow(): boolean {
    const content = this.#waiting;
    if (!content) return false;
    if (!content.png && writeTextsLocally(content)) {
      this.#arrived(TEXTS.copied);
      return true;
    }
    void writeLocal(typesOf(content), Promise.resolve(content)).then(
      () => this.#arrived(TEXTS.copied),
      () =>
        writeTextsLocally(content)
          ? this.#arrived(TEXTS.copied)
          : this.#tell('failed', TEXTS.cannot, FAILED_MS, 'unwritable'),
    );
    return true;
  }

  /** Forgets what is waiting. */
  dismiss(): void {
    this.#waiting = undefined;
    this.#show(undefined);
  }

  close(): void {
    this.#listening.abort();
    this.#stop?.();
    this.#waiting = undefined;
    clearTimeout(this.#timer);
    this.#latest = Infinity;
  }

  #copied({ types, allowed }: CopiedNotice): void {
    this.#viewer.input()?.copied(false);
    this.dismiss();
    const prevented = new AbortController();
    this.#viewer.onCopy({
      types,
      allowed,
      read: () => this.#viewer.client.clipboard.read(),
      preventDefault: () => prevented.abort(),
    });
    if (allowed && !prevented.signal.aborted) void this.#take(types);
  }

  async #take(types: readonly ClipboardType[]): Promise<void> {
    const copy = ++this.#latest;
    const reading = heard(this.#viewer.client.clipboard.read());
    // Begun before it has all come, as long as the gesture that copied it counts.
    let written = await writeLocal(types, reading).then(
      () => true,
      () => false,
    );
    const content = await reading.catch((error: unknown) => error as Error);
    if (copy !== this.#latest) return;
    if (content instanceof Error) {
      this.#failed(content);
      return;
    }
    written ||= writeTextsLocally(content);
    if (written) {
      this.#arrived();
    } else if (typesOf(content).length > 0) {
      this.#waiting = content;
      this.#byClick = true;
      this.#tell('waiting', TEXTS.waiting, WAITING_MS, 'waiting');
    }
  }

  /** Only what needed a click is told: everything else is as it is anywhere. */
  #arrived(message = ''): void {
    this.#waiting = undefined;
    this.#viewer.input()?.copied(true);
    this.#tell('copied', message, COPIED_MS, 'copied');
  }

  /** A menu opens in the remote browser, whose own Paste is to paste what is here. */
  #offer(): void {
    if (!this.takesPaste) return;
    const reading = () => readLocal().catch(() => undefined);
    if (this.#permission.state === 'granted') {
      this.#viewer.input()?.offer(reading());
    } else if (this.#permission.state === 'prompt' && !this.#asked) {
      // Where a browser asks its user, it does so once; where it would ask every time, not at all. The menu does not wait for that.
      this.#asked = true;
      void reading().then((content) => {
        if (!this.#listening.signal.aborted) this.#viewer.input()?.offer(Promise.resolve(content));
      });
    }
  }

  #failed(error: unknown): void {
    const code = error instanceof CloudBrowserError ? error.code : undefined;
    this.#tell('failed', error instanceof Error ? error.message : String(error), FAILED_MS, code);
  }

  #tell(state: CopyState['state'], message: string, milliseconds: number, code: string | undefined): void {
    this.#show({ state, message, ...(code !== undefined && { code }) });
    this.#timer = setTimeout(() => this.dismiss(), milliseconds);
  }

  #show(state: CopyState | undefined): void {
    clearTimeout(this.#timer);
    if (state === this.#state) return;
    this.#state = state;
    this.#viewer.onState(state);
  }
}

function typesOf({ text, html, png }: ClipboardContent): ClipboardType[] {
  return [
    ...(text === undefined ? [] : (['text/plain'] as const)),
    ...(html === undefined ? [] : (['text/html'] as const)),
    ...(png === undefined ? [] : (['image/png'] as const)),
  ];
}
