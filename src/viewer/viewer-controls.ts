import { Deferred } from '../core/deferred.js';
import { LatePart } from '../core/late-part.js';
import type { KeyboardScope } from '../input/index.js';
import type { ResizeMode } from './auto-resize.js';
import type { Controls, ControlsParts } from './controls.js';

/** What is asked for beyond this while they do not come is lost, as input without a connection is. */
const MAX_WAITING = 100;

/** What is loaded later. */
interface ControlsPart {
  Controls: new (parts: ControlsParts) => Controls;
}

/** The controls of one viewer while they are loaded, and after that: they take up what was asked for meanwhile. */
export class ViewerControls {
  readonly #parts: ControlsParts;
  readonly #part: LatePart<ControlsPart>;
  readonly #ready = new Deferred<Controls>();
  #controls: Controls | undefined;
  #waiting: ((controls: Controls) => void)[] = [];
  #viewOnly = true;
  #keyboard: KeyboardScope = 'surface';
  #resizeMode: ResizeMode = 'none';

  /** @param onFailure they could not be loaded, and are tried again */
  constructor(
    parts: ControlsParts,
    onFailure: (error: Error) => void,
    load: () => Promise<ControlsPart> = loadControls,
  ) {
    this.#parts = parts;
    this.#part = new LatePart({
      load,
      onLoaded: ({ Controls: Loaded }) => this.#loaded(new Loaded(parts)),
      onFailure,
    });
  }

  /** Undefined until they are there. */
  get loaded(): Controls | undefined {
    return this.#controls;
  }

  /** Resolves when they are there; rejects when they are closed before. */
  get ready(): Promise<Controls> {
    return this.#ready.promise;
  }

  /** Resolves when they are there, or are not to be waited for. */
  get settled(): Promise<void> {
    return this.#part.settled;
  }

  /** Whether nothing is taken of what a person does. */
  get viewOnly(): boolean {
    return this.#viewOnly;
  }

  set viewOnly(viewOnly: boolean) {
    this.#viewOnly = viewOnly;
    this.#apply();
  }

  get resizeMode(): ResizeMode {
    return this.#resizeMode;
  }

  set resizeMode(mode: ResizeMode) {
    this.#resizeMode = mode;
    this.#apply();
  }

  get keyboard(): KeyboardScope {
    return this.#keyboard;
  }

  set keyboard(scope: KeyboardScope) {
    this.#keyboard = scope;
    this.#apply();
  }

  /** At once, or as soon as they are there. */
  do(act: (controls: Controls) => void): void {
    if (this.#controls) act(this.#controls);
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(act);
  }

  /** Gives the keyboard to the remote screen; not any more when it has gone elsewhere before that can be done. */
  focus(): void {
    const { ownerDocument: page } = this.#parts.container;
    const before = page.activeElement;
    this.do((controls) => {
      if (page.activeElement === before) controls.focus();
    });
  }

  close(): void {
    this.#part.close();
    this.#waiting = [];
    this.#ready.reject(new Error('The viewer was closed.'));
    this.#controls?.close();
  }

  #loaded(controls: Controls): void {
    this.#controls = controls;
    this.#apply();
    for (const act of this.#waiting.splice(0)) act(controls);
    this.#ready.resolve(controls);
  }

  #apply(): void {
    if (!this.#controls) return;
    this.#controls.viewOnly = this.#viewOnly;
    this.#controls.keyboard = this.#keyboard;
    this.#controls.resizeMode = this.#resizeMode;
  }
}

/** Begins to load what every viewer will want. */
export function loadControls(): Promise<ControlsPart> {
  return import('./controls.js');
}
