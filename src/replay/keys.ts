/** Actions that keys perform. */
export interface KeyActions {
  toggle(): void;
  /** Moves by seconds. */
  move(seconds: number): void;
  /** Goes to the start or to the end. */
  goTo(place: 'start' | 'end'): void;
  /** Changes to the next speed: faster if `steps` is above 0, otherwise slower. */
  faster(steps: number): void;
  toggleSound(): void;
  toggleFullscreen(): void;
  toggleCaptions(): void;
}

/** Seconds of one frame of a recording at a usual rate. */
const FRAME_SECONDS = 1 / 15;

const ACTIONS: Readonly<Record<string, (actions: KeyActions) => void>> = {
  ' ': (actions) => actions.toggle(),
  k: (actions) => actions.toggle(),
  ArrowLeft: (actions) => actions.move(-5),
  ArrowRight: (actions) => actions.move(5),
  j: (actions) => actions.move(-10),
  l: (actions) => actions.move(10),
  PageDown: (actions) => actions.move(-60),
  PageUp: (actions) => actions.move(60),
  Home: (actions) => actions.goTo('start'),
  End: (actions) => actions.goTo('end'),
  ',': (actions) => actions.move(-FRAME_SECONDS),
  '.': (actions) => actions.move(FRAME_SECONDS),
  '<': (actions) => actions.faster(-1),
  '>': (actions) => actions.faster(1),
  m: (actions) => actions.toggleSound(),
  f: (actions) => actions.toggleFullscreen(),
  c: (actions) => actions.toggleCaptions(),
};

/**
 * Performs the action of a key. Ignores keys that the focused control handles itself: all keys of a selection
 * list, and the space bar on a button.
 */
export function performKey(event: KeyboardEvent, actions: KeyActions): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const [target] = event.composedPath();
  const name = target instanceof HTMLElement ? target.localName : '';
  const { key } = event;
  if (name === 'select' || (name === 'button' && key === ' ')) return;
  const action = ACTIONS[key.length === 1 ? key.toLowerCase() : key];
  if (!action) return;
  event.preventDefault();
  action(actions);
}
