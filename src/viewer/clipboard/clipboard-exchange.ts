import type { EventEmitter } from 'eventemitter3';
import { heard } from '../../core/deferred.js';
import {
  CallError,
  CloudBrowserError,
  type CloudBrowserClient,
  type ClipboardContent,
} from '../../core/index.js';
import type { AttachedInput, PastedContent, PasteOutlet } from '../../input/index.js';
import type { ClipboardType, CopiedNotice } from '../../protocol/index.js';
import type { CopyState } from './copy-state.js';
import { asPng, readLocal, ReadPermission, writeLocal, writeTextsLocally } from './local-clipboard.js';
import type { ViewerEvents } from '../viewer-events.js';

/** Texts for users. */
const TEXTS = {
  waiting: 'Copied in the remote browser. One click copies it here.',
  copied: 'Copied.',
  cannot:
    'This browser does not let the page write the clipboard. The page needs https. A frame also needs the permission clipboard-write.',
  files: 'Only text and pictures can be pasted. Drop files on the picture instead.',
  forbidden: 'You may not copy out of this browser. Ask the host of the session.',
};
/** Time for which a result is shown. Milliseconds. */
const COPIED_MS = 2_000;
const FAILED_MS = 8_000;
/** Time for which content waits for a click that copies it. Milliseconds. */
const WAITING_MS = 20_000;
/**
 * Time in which a user without the role `clipboard_copy` sees only one message. Some users copy often within
 * the remote browser, for example to move text. Milliseconds.
 */
const FORBIDDEN_MS = 60_000;
/** A touch of more than this length opens a context menu in the remote browser. Milliseconds. */
const LONG_PRESS_MS = 400;

/**
 * Content that the user drops on the picture, and its position in pixels of the remote screen. `link` is true
 * if the text is the address of a link.
 */
export type DropArguments = [
  content: Pick<PastedContent, 'text' | 'html'>,
  at: { x: number; y: number },
  link: boolean,
];

/** The parts of the viewer that the exchange needs. */
export interface ExchangeParts {
  readonly client: CloudBrowserClient;
  readonly container: HTMLElement;
  /** The exchange emits `remoteCopy` and `copyState`. */
  readonly events: EventEmitter<ViewerEvents>;
  /** Undefined while the viewer is view-only. */
  input(): Pick<AttachedInput, 'paste' | 'offer' | 'copy' | 'copied' | 'focus'> | undefined;
}

/**
 * Copies content from the remote browser to the local clipboard, and pastes local content into the remote
 * browser.
 */
export class ClipboardExchange implements PasteOutlet {
  readonly #listening = new AbortController();
  #waiting: ClipboardContent | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #latest = 0;
  #stop: (() => void) | undefined;
  /** True if the next click on the picture copies the pending content. */
  #byClick = false;
  #asked = false;
  #touched = 0;
  /** Set while the user need not be told again that copying is not allowed. */
  #forbidden: ReturnType<typeof setTimeout> | undefined;

  readonly #permission = new ReadPermission();
  readonly #viewer: ExchangeParts;
  #state: CopyState | undefined;

  constructor(viewer: ExchangeParts) {
    this.#viewer = viewer;
    const { client, container } = viewer;
    // Ignores a refusal, which comes from an older session without this event.
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
    // Outside the page, the user may copy other content. The next click must not overwrite it.
    window.addEventListener('blur', () => (this.#byClick = false), { signal: this.#listening.signal });
    const press = () => {
      if (this.#byClick) this.copyNow();
    };
    for (const type of ['mousedown', 'touchend'] as const) container.addEventListener(type, press, options);
    // A stylus sends no `mousedown`.
    container.addEventListener('pointerup', ({ pointerType }) => pointerType === 'pen' && press(), options);
    container.addEventListener('mousedown', ({ button }) => button === 2 && this.#offer(), options);
    // The remote page gets the key too, because the user may mean something there.
    container.addEventListener('keydown', ({ key }) => key === 'Escape' && this.dismiss(), options);
    container.addEventListener('touchstart', ({ timeStamp }) => void (this.#touched = timeStamp), options);
    container.addEventListener(
      'touchend',
      ({ timeStamp }) => timeStamp - this.#touched > LONG_PRESS_MS && this.#offer(),
      options,
    );
  }

  /** Result of the latest copy or paste. Undefined when it is no longer relevant. */
  get state(): CopyState | undefined {
    return this.#state;
  }

  /** See `ViewerClipboard.paste`. */
  async paste(): Promise<void> {
    if (!this.#viewer.input()) return;
    const content = await readLocal();
    // The viewer may have become view-only while the browser asked the user.
    this.#viewer.input()?.paste(content);
  }

  /** See `ViewerClipboard.copy`. */
  copy(): void {
    this.#viewer.input()?.copy();
  }

  get takesPaste(): boolean {
    return this.#viewer.client.clipboard.takesPaste;
  }

  async upload({ text, html, png, image, files }: PastedContent): Promise<number | undefined> {
    const picture = png ?? (image && (await asPng(image)));
    const nothing = text === undefined && html === undefined && !picture;
    if (nothing && (image || files !== undefined)) {
      this.#notify('failed', TEXTS.files, FAILED_MS, 'files');
      return undefined;
    }
    try {
      const bytes = picture && new Uint8Array(await picture.arrayBuffer());
      const upload = this.#viewer.client.clipboard.upload({
        ...(text !== undefined && { text }),
        ...(html !== undefined && { html }),
        ...(bytes && { png: bytes }),
      });
      if (!upload.isSent) await upload.sent;
      return upload.transfer;
    } catch (error) {
      this.#refused(error);
      return undefined;
    }
  }

  /** Drops text or a link on the remote page, and focuses the picture, because the user may type there. */
  async drop(...[content, { x, y }, link]: DropArguments): Promise<void> {
    if (!this.#viewer.input()) return;
    const transfer = await this.upload(content);
    if (transfer === undefined) return;
    this.#viewer.input()?.focus();
    const dropped = this.#viewer.client.remote.call('clipboard.drop', [transfer, x, y, link]);
    await dropped.catch((error: unknown) => this.#refused(error));
  }

  async offer(content: PastedContent): Promise<void> {
    const transfer = await this.upload(content);
    // Ignores the error, because a user without control cannot open the menu either.
    if (transfer !== undefined) await this.#viewer.client.clipboard.bring(transfer).catch(() => undefined);
  }

  /** Copies the pending content. Call it in a click or key handler. Returns false if nothing is pending. */
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
          : this.#notify('failed', TEXTS.cannot, FAILED_MS, 'unwritable'),
    );
    return true;
  }

  /** Drops the pending content. */
  dismiss(): void {
    this.#waiting = undefined;
    this.#show(undefined);
  }

  close(): void {
    this.#listening.abort();
    this.#stop?.();
    this.#waiting = undefined;
    clearTimeout(this.#timer);
    clearTimeout(this.#forbidden);
    this.#latest = Infinity;
  }

  #copied({ types, allowed }: CopiedNotice): void {
    // Reads the local clipboard only if the permission is granted, so that the browser does not ask the user.
    const local = this.#permission.state === 'granted' ? readLocal().catch(() => undefined) : undefined;
    this.#viewer.input()?.copied(false, local);
    // A message that copying is not allowed stays during the copies that it is about.
    if (allowed || this.#state?.code !== 'err_forbidden') this.dismiss();
    const prevented = new AbortController();
    this.#viewer.events.emit('remoteCopy', {
      types,
      allowed,
      read: () => this.#viewer.client.clipboard.read(),
      preventDefault: () => prevented.abort(),
    });
    if (prevented.signal.aborted) return;
    if (!allowed) return this.#forbid();
    clearTimeout(this.#forbidden);
    this.#forbidden = undefined;
    void this.#take(types);
  }

  #forbid(): void {
    if (this.#forbidden !== undefined) return;
    this.#forbidden = setTimeout(() => (this.#forbidden = undefined), FORBIDDEN_MS);
    this.#notify('failed', TEXTS.forbidden, FAILED_MS, 'err_forbidden');
  }

  async #take(types: readonly ClipboardType[]): Promise<void> {
    const copy = ++this.#latest;
    const reading = heard(this.#viewer.client.clipboard.read());
    // Starts the write before all content has arrived, while the user gesture of the copy is still valid.
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
      this.#notify('waiting', TEXTS.waiting, WAITING_MS, 'waiting');
    }
  }

  /** Records a successful copy. The user sees a message only if the copy needed a click. */
  #arrived(message = ''): void {
    this.#waiting = undefined;
    this.#viewer.input()?.copied(true);
    this.#notify('copied', message, COPIED_MS, 'copied');
  }

  /**
   * Sends the local clipboard before a context menu opens in the remote browser, so that the Paste command of
   * that menu pastes this content.
   */
  #offer(): void {
    if (!this.takesPaste) return;
    const reading = () => readLocal().catch(() => undefined);
    if (this.#permission.state === 'granted') {
      this.#viewer.input()?.offer(reading());
    } else if (this.#permission.state === 'prompt' && !this.#asked) {
      // If the browser has to ask the user, reads the clipboard only once, because some browsers ask every
      // time. The menu does not wait for the answer.
      this.#asked = true;
      void reading().then((content) => {
        if (!this.#listening.signal.aborted) this.#viewer.input()?.offer(Promise.resolve(content));
      });
    }
  }

  /** Shows why content was not accepted. Shows nothing to users without control, who cannot type either. */
  #refused(error: unknown): void {
    const silent = error instanceof CallError && error.code === 'err_forbidden';
    if (!silent) this.#failed(error);
  }

  #failed(error: unknown): void {
    const code = error instanceof CloudBrowserError ? error.code : undefined;
    this.#notify('failed', error instanceof Error ? error.message : String(error), FAILED_MS, code);
  }

  #notify(state: CopyState['state'], message: string, milliseconds: number, code: string | undefined): void {
    this.#show({ state, message, ...(code !== undefined && { code }) });
    this.#timer = setTimeout(() => this.dismiss(), milliseconds);
  }

  #show(state: CopyState | undefined): void {
    clearTimeout(this.#timer);
    if (state === this.#state) return;
    this.#state = state;
    this.#viewer.events.emit('copyState', state);
  }
}

function typesOf({ text, html, png }: ClipboardContent): ClipboardType[] {
  return [
    ...(text === undefined ? [] : (['text/plain'] as const)),
    ...(html === undefined ? [] : (['text/html'] as const)),
    ...(png === undefined ? [] : (['image/png'] as const)),
  ];
}
