import { Deferred } from '../../core/deferred.js';
import { LatePart } from '../../core/late-part.js';
import { FocusRequest } from '../focused-field.js';
import type { Controls, ControlSettings, ControlsParts } from './controls.js';

/**
 * Maximum number of calls that wait for the controls. Further calls are lost, like input without a
 * connection.
 */
const MAX_WAITING = 100;

/** The module that is loaded later. */
interface ControlsPart {
  Controls: new (parts: ControlsParts) => Controls;
}

/**
 * Loads the controls of one viewer. Calls of {@link ViewerControls.do} wait until the controls are loaded.
 */
export class ViewerControls {
  readonly #parts: ControlsParts;
  readonly #part: LatePart<ControlsPart>;
  readonly #ready = new Deferred<Controls>();
  #controls: Controls | undefined;
  #waiting: ((controls: Controls) => void)[] = [];
  /** Set while a request for the focus waits for the controls. */
  #focusWanted: FocusRequest | undefined;
  readonly #settings: ControlSettings = { viewOnly: true, keyboard: 'surface', resizeMode: 'none' };

  /** @param onFailure called when loading failed. Loading is tried again */
  constructor(
    parts: Omit<ControlsParts, 'settings'>,
    onFailure: (error: Error) => void,
    load: () => Promise<ControlsPart> = loadControls,
  ) {
    this.#parts = { ...parts, settings: this.#settings };
    this.#part = new LatePart({
      load,
      onLoaded: ({ Controls: Loaded }) => this.#loaded(new Loaded(this.#parts)),
      onFailure,
    });
  }

  /** Undefined until the controls are loaded. */
  get loaded(): Controls | undefined {
    return this.#controls;
  }

  /** Resolves when the controls are loaded. Rejects if the viewer is closed earlier. */
  get ready(): Promise<Controls> {
    return this.#ready.promise;
  }

  /** Resolves when the controls are loaded, have failed to load, have not arrived for 5 s, or are closed. */
  get settled(): Promise<void> {
    return this.#part.settled;
  }

  /** Settings that the controls follow as soon as they are loaded. */
  get settings(): Readonly<ControlSettings> {
    return this.#settings;
  }

  change(settings: Partial<ControlSettings>): void {
    Object.assign(this.#settings, settings);
    this.#controls?.apply();
  }

  /** Runs an action now, or as soon as the controls are loaded. */
  do(act: (controls: Controls) => void): void {
    if (this.#controls) act(this.#controls);
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(act);
  }

  /**
   * Focuses the remote screen, so that it receives the keys. Does nothing if the user moves the focus, or
   * another field gets it, before the controls are loaded.
   */
  focus(): void {
    const { container } = this.#parts;
    this.#focusWanted?.end();
    this.#focusWanted = new FocusRequest(container.ownerDocument, container);
    this.do((controls) => this.#focus(controls));
  }

  close(): void {
    this.#part.close();
    this.#waiting = [];
    this.#focusWanted?.end();
    this.#ready.reject(new Error('The viewer was closed.'));
    this.#controls?.close();
  }

  /** Applies the latest request for the focus, unless an earlier call has applied it. */
  #focus(controls: Controls): void {
    if (this.#focusWanted?.end()) controls.focus();
    this.#focusWanted = undefined;
  }

  #loaded(controls: Controls): void {
    this.#controls = controls;
    controls.apply();
    for (const act of this.#waiting.splice(0)) act(controls);
    this.#ready.resolve(controls);
  }
}

/** Starts loading the module that every viewer needs. */
export function loadControls(): Promise<ControlsPart> {
  return import('./controls.js');
}
