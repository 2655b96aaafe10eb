import {
  ENTER_KEY_HINTS,
  INPUT_MODES,
  type Capitals,
  type EnterKeyHint,
  type InputMode,
  type RemoteField,
  type ScreenRectangle,
} from 'cloud-browser/protocol';
import type { FieldReport, WindowView } from '../browser/focus/field-report.js';
import type { FocusPath } from '../browser/focus/field-watch.js';
import type { FieldKind } from '../browser/focus/focused-field.js';

/** Where a page is on the screen: its upper left corner, in pixels of that. */
export interface PageView extends Omit<WindowView, 'end' | 'inner'> {
  top: number;
}

/** The keyboard for each kind of field that takes typed text; others take none of a phone's keyboard. */
const MODES: Partial<Record<FieldKind, InputMode>> = {
  text: 'text',
  password: 'text',
  rich: 'text',
  search: 'search',
  email: 'email',
  url: 'url',
  tel: 'tel',
  // It may take fractions, and a phone's own keyboard for it has them.
  number: 'decimal',
};
/** Words in which somebody is called or found begin as they like. */
const NO_CAPITALS: readonly FieldKind[] = ['password', 'email', 'url', 'tel', 'number'];

/** What viewers are told of a field in a page; undefined when nothing that takes text has the focus. */
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

/** What viewers are told of the browser's own fields. */
export function fieldInBrowser(
  id: number,
  kind: 'address' | 'prompt',
  rectangle: ScreenRectangle | undefined,
): RemoteField {
  const address = kind === 'address';
  return {
    id,
    place: 'browser',
    inputMode: address ? 'url' : 'text',
    enterKeyHint: address ? 'go' : 'done',
    capitals: address ? 'none' : 'sentences',
    autocomplete: '',
    password: false,
    multiline: false,
    rectangle: rectangle ?? null,
    caret: null,
  };
}

/** Turns places in the innermost frame into places on the screen, in whole pixels. */
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
