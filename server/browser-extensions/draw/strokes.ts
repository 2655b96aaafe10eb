/** Tools that draw on the page. */
export type Tool = 'pen' | 'highlighter' | 'eraser';

/** A pointer position, in CSS pixels of the whole page, so that drawings scroll with the page. */
export interface Point {
  x: number;
  y: number;
}

/** One movement of a tool, from press to release. */
export interface Stroke {
  readonly tool: Tool;
  readonly colour: string;
  /** CSS pixels. */
  readonly width: number;
  readonly points: Point[];
}

/** The strokes on a page, in order, with undo. Clearing is a step that can be undone too. */
export class Drawing {
  #steps: (readonly Stroke[])[] = [[]];
  /** Called when a stroke was added or undone. */
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
