/** Tools that leave something on the page. */
export type Tool = 'pen' | 'highlighter' | 'eraser';

/** Where the pointer was, in CSS pixels of the whole page, so that drawings scroll with what they are about. */
export interface Point {
  x: number;
  y: number;
}

/** One movement of a tool from touching the page to leaving it. */
export interface Stroke {
  readonly tool: Tool;
  readonly colour: string;
  /** CSS pixels. */
  readonly width: number;
  readonly points: Point[];
}

/** What is drawn on a page, in order, with the way back. Clearing is a step like any other. */
export class Drawing {
  #steps: (readonly Stroke[])[] = [[]];
  /** Called when something was added or taken back. */
  onChange: (() => void) | undefined;

  get strokes(): readonly Stroke[] {
    return this.#steps.at(-1) ?? [];
  }

  get canUndo(): boolean {
    return this.#steps.length > 1;
  }

  add(stroke: Stroke): void {
    this.#step([...this.strokes, stroke]);
  }

  clear(): void {
    if (this.strokes.length > 0) this.#step([]);
  }

  undo(): void {
    if (!this.canUndo) return;
    this.#steps.pop();
    this.onChange?.();
  }

  #step(strokes: readonly Stroke[]): void {
    this.#steps.push(strokes);
    this.onChange?.();
  }
}
