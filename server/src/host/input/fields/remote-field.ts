import {
  ENTER_KEY_HINTS,
  INPUT_MODES,
  type Capitals,
  type EnterKeyHint,
  type InputMode,
  type RemoteField,
  type ScreenRectangle,
} from 'cloud-browser/protocol';
import type { FieldReport, WindowView } from '../../browser/focus/field-report.js';
import type { FocusPath } from '../../browser/focus/field-watch.js';
import type { FieldKind } from '../../browser/focus/focused-field.js';

/** Position of a page on the screen. `left` and `top` are its upper left corner, in pixels of the screen. */
export interface PageView extends Omit<WindowView, 'end' | 'inner'> {
  top: number;
}

/**
 * Fields of the browser's own interface: the address bar, the field of a `prompt` dialog, and the window that
 * asks for a user name and a password.
 */
export type BrowserFieldKind = 'address' | 'prompt' | 'sign-in';

/** On-screen keyboard for each kind of field that takes typed text. Other kinds need none. */
const MODES: Partial<Record<FieldKind, InputMode>> = {
  text: 'text',
  password: 'text',
  rich: 'text',
  search: 'search',
  email: 'email',
  url: 'url',
  tel: 'tel',
  // The field may accept fractions, and this on-screen keyboard can enter them.
  number: 'decimal',
};
/** Fields without automatic capitals, because their texts often begin with a small letter. */
const NO_CAPITALS: readonly FieldKind[] = ['password', 'email', 'url', 'tel', 'number'];

/** Returns the description of a field in a page for viewers. Undefined if no text field has the focus. */
export function fieldInPage({ reports, id }: FocusPath, view: PageView | undefined): RemoteField | undefined {
  const report = reports.at(-1);
  const mode = report && MODES[report.kind];
  if (!report || !mode) return undefined;
  const { hints, kind } = report;
  const own = INPUT_MODES.find((known) => known === hints.inputMode);
  const onScreen = view && screenOf(reports, view);
  return {
    id,
    place: 'page',
    inputMode: own ?? mode,
    enterKeyHint: enterOf(report),
    capitals: capitalsOf(report),
    autocomplete: /^[a-z0-9 -]*$/.test(hints.autocomplete) ? hints.autocomplete : '',
    password: kind === 'password',
    multiline: report.multiline,
    rectangle: onScreen?.(report.rectangle) ?? null,
    caret: (report.caret && onScreen?.(report.caret)) ?? null,
  };
}

/** Returns the description of one of the browser's own fields for viewers. */
export function fieldInBrowser(
  id: number,
  kind: BrowserFieldKind,
  rectangle: ScreenRectangle | undefined,
): RemoteField {
  const address = kind === 'address';
  return {
    id,
    place: 'browser',
    inputMode: address ? 'url' : 'text',
    enterKeyHint: kind === 'prompt' ? 'done' : 'go',
    capitals: kind === 'prompt' ? 'sentences' : 'none',
    autocomplete: '',
    password: false,
    multiline: false,
    rectangle: rectangle ?? null,
    caret: null,
  };
}

/** Converts positions in the innermost frame to positions on the screen, in whole pixels. */
function screenOf(
  reports: readonly FieldReport[],
  view: PageView,
): (rectangle: ScreenRectangle) => ScreenRectangle {
  let [x, y] = [view.left - view.zoomedLeft * view.scale, view.top - view.zoomedTop * view.scale];
  let [across, down] = [view.scale, view.scale];
  for (const { rectangle, scale } of reports.slice(0, -1)) {
    x += rectangle[0] * across;
    y += rectangle[1] * down;
    across *= scale[0];
    down *= scale[1];
  }
  return ([left, top, width, height]) => [
    Math.round(x + left * across),
    Math.round(y + top * down),
    Math.round(width * across),
    Math.round(height * down),
  ];
}

function enterOf({ hints, kind, multiline, inForm }: FieldReport): EnterKeyHint {
  const own = ENTER_KEY_HINTS.find((known) => known === hints.enterKeyHint);
  if (own) return own;
  if (multiline) return 'enter';
  if (kind === 'search') return 'search';
  return inForm || kind === 'url' ? 'go' : 'done';
}

function capitalsOf({ hints, kind }: FieldReport): Capitals {
  if (NO_CAPITALS.includes(kind)) return 'none';
  switch (hints.autocapitalize) {
    case 'none':
    case 'off':
      return 'none';
    case 'words':
    case 'characters':
      return hints.autocapitalize;
    default:
      return 'sentences';
  }
}
