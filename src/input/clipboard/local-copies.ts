import { EventEmitter } from 'eventemitter3';

/** Listener for copies to the local clipboard. */
export interface LocalCopyListener {
  /** Called after a copy. */
  readonly localCopied: () => void;
  /**
   * Called when the page loses the focus, changes its visibility, or opens a context menu. After that, the
   * user can copy without an event on this page.
   */
  readonly leftPage: () => void;
}

/** Emits `written` when code of this page has written the clipboard. */
const pageWrites = new EventEmitter<{ written: [] }>();
let unwrap: (() => void) | undefined;

/**
 * Reports copies to the local clipboard until the signal aborts. Detects `copy` and `cut` events, calls of
 * `navigator.clipboard` on this page, and `clipboardchange` if the browser has it. `clipboardchange` also
 * reports copies in other pages and programs.
 */
export function watchLocalCopies({ leftPage, localCopied }: LocalCopyListener, signal: AbortSignal): void {
  const capture = { signal, capture: true };
  window.addEventListener('blur', leftPage, { signal });
  document.addEventListener('visibilitychange', leftPage, { signal });
  // A menu of the local browser copies links and images without an event.
  window.addEventListener('contextmenu', leftPage, capture);
  for (const type of ['copy', 'cut']) document.addEventListener(type, localCopied, capture);
  // Pages without https have no `navigator.clipboard`, although the type says otherwise. Polyfills and mocks
  // have only some of its methods.
  const clipboard = navigator.clipboard as Partial<Clipboard> | undefined;
  if (!clipboard) return;
  clipboard.addEventListener?.('clipboardchange', localCopied, { signal });
  unwrap ??= wrapWrites(clipboard);
  pageWrites.on('written', localCopied);
  const leave = (): void => {
    if (pageWrites.off('written', localCopied).listenerCount('written') > 0) return;
    unwrap?.();
    unwrap = undefined;
  };
  signal.addEventListener('abort', leave, { once: true });
}

/**
 * Wraps the methods that write the clipboard on this page. Firefox and Safari send no event for them. Returns
 * a function that restores the methods.
 */
function wrapWrites(clipboard: Partial<Clipboard>): () => void {
  const wrapped = {
    ...(clipboard.write && { write: observed(clipboard.write.bind(clipboard)) }),
    ...(clipboard.writeText && { writeText: observed(clipboard.writeText.bind(clipboard)) }),
  };
  const own = new Map(Object.entries(Object.getOwnPropertyDescriptors(clipboard)));
  try {
    Object.assign(clipboard, wrapped);
  } catch {
    // The page may have frozen the object.
  }
  return () => {
    for (const [name, value] of Object.entries(wrapped)) {
      // If the page has replaced the method meanwhile, the page's method stays.
      if (Reflect.get(clipboard, name) !== value) continue;
      Reflect.deleteProperty(clipboard, name);
      const before = own.get(name);
      if (before) Object.defineProperty(clipboard, name, before);
    }
  };
}

function observed<Arguments extends unknown[]>(
  call: (...given: Arguments) => Promise<void>,
): (...given: Arguments) => Promise<void> {
  return (...given) => {
    const done = call(...given);
    Promise.resolve(done).then(
      () => pageWrites.emit('written'),
      () => undefined,
    );
    return done;
  };
}
