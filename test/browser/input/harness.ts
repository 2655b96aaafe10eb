import {
  attachInput,
  type AttachedInput,
  type PastedContent,
  type PasteOutlet,
  type Platform,
} from '../../../src/input/index.js';
import type { InputWithoutSeq } from '../../../src/protocol/index.js';

/** A surface of 400x300 CSS px at the page's top left that shows a remote screen of 800x600 px. */
export interface Bench {
  readonly surface: HTMLElement;
  readonly input: AttachedInput;
  readonly sent: InputWithoutSeq[];
  /** Requests to report the remote focus or to stop, in order. */
  readonly asked: boolean[];
  /** Pasted contents, in order. A `paste` event names its content by its position, starting at 1. */
  readonly pasted: PastedContent[];
  /** The text field that holds the keyboard focus. */
  readonly field: HTMLTextAreaElement;
  /** Events of one type, in order. */
  of<T extends InputWithoutSeq['type']>(type: T): Extract<InputWithoutSeq, { type: T }>[];
  close(): void;
}

export const SCALE = 0.5;

/** @param pastes the session's handling of a paste; default: accepts it at once */
export function bench(
  platform: Platform = 'other',
  pastes: Partial<PasteOutlet> = {},
  pixelRatio = 1,
): Bench {
  const container = document.createElement('div');
  const surface = document.createElement('div');
  Object.assign(surface.style, { position: 'fixed', left: '0', top: '0', width: '400px', height: '300px' });
  container.append(surface);
  document.body.append(container);
  const sent: InputWithoutSeq[] = [];
  const asked: boolean[] = [];
  const pasted: PastedContent[] = [];
  const remote = { width: 800, height: 600 };
  const nearestRemote = (x: number, y: number) => ({
    x: Math.max(0, Math.min(799, Math.floor(x / SCALE))),
    y: Math.max(0, Math.min(599, Math.floor(y / SCALE))),
  });
  const input = attachInput(
    {
      surface,
      placement: {
        size: remote,
        pixelRatio,
        toRemote: (x, y) => (x >= 0 && y >= 0 && x < 400 && y < 300 ? nearestRemote(x, y) : undefined),
        nearestRemote,
        toClient: (x, y) => ({ x: x * 400, y: y * 300 }),
        toContainer: (x, y) => ({ x, y }),
        scale: () => SCALE,
      },
      sink: { sendInput: (event) => sent.push(event) > 0, watchFocus: (on) => asked.push(on) },
      pastes: {
        takesPaste: true,
        upload: (content) => Promise.resolve(pasted.push(content)),
        offer: () => Promise.resolve(),
        ...pastes,
      },
    },
    platform,
  );
  return {
    surface,
    input,
    sent,
    asked,
    pasted,
    field: surface.querySelector('textarea')!,
    of: <T extends InputWithoutSeq['type']>(type: T) =>
      sent.filter((event): event is Extract<InputWithoutSeq, { type: T }> => event.type === type),
    close() {
      input.close();
      container.remove();
    },
  };
}

/** Resolves after the next animation frame's callbacks. */
export function frame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}

/** Dispatches a key event to the field. Returns true if the browser's default action was prevented. */
export function key(field: HTMLElement, type: 'keydown' | 'keyup', init: KeyboardEventInit): boolean {
  return !field.dispatchEvent(
    new KeyboardEvent(type, { bubbles: true, composed: true, cancelable: true, ...init }),
  );
}

/** Dispatches a mouse event. Returns true if the browser's default action was prevented. */
export function mouse(target: EventTarget, type: string, init: MouseEventInit): boolean {
  return !target.dispatchEvent(
    new MouseEvent(type, { bubbles: true, composed: true, cancelable: true, ...init }),
  );
}

/** A key as one short word: `+a` pressed, `-a` lifted, `*a` repeated, with modifier bits behind a slash. */
export function keyWords(bench: Bench): string[] {
  return bench.of('key').map((event) => {
    const sign = event.repeat ? '*' : event.pressed ? '+' : '-';
    return `${sign}${event.key}${event.modifiers ? `/${event.modifiers}` : ''}`;
  });
}
