import type { ComputerMethod, ScreenshotOptions } from '../protocol/index.js';

/** Target of an action: a node of the accessibility text, or a position. */
export interface ComputerTarget {
  /** Reference of a node in the accessibility text, such as `e12`. */
  ref?: string;
  /** Pixels from the left edge of the screen. */
  x?: number;
  /** Pixels from the upper edge of the screen. */
  y?: number;
  /** Scale of the screenshot that `x` and `y` refer to. Default 1. */
  scale?: number;
}

type Button = 'left' | 'middle' | 'right';

/** Options of the methods of computer use, by the name of the method. */
export interface ComputerOptions {
  screenshot: ScreenshotOptions;
  /**
   * `after`: the text starts after the line of this reference, for example `next` of the text before.
   * `links`: the text has the addresses of links.
   */
  accessibility: { after?: string; links?: boolean };
  /** `count`: 1 to 3 clicks. `modifiers`: held keys (`Shift`, `Control`, `Alt`, `Meta`). */
  click: ComputerTarget & { button?: Button; count?: number; modifiers?: string[] };
  move: ComputerTarget;
  /** `path`: 2 to 100 targets. `scale` applies to all positions. */
  drag: { path: Pick<ComputerTarget, 'ref' | 'x' | 'y'>[]; button?: Button; scale?: number };
  /** `delta_x`, `delta_y`: distance to the right and down in CSS pixels, -4095 to 4095. */
  scroll: ComputerTarget & { delta_x?: number; delta_y?: number };
  /** `replace`: replaces the content of the field. `submit`: presses Enter afterwards. */
  type: ComputerTarget & { text: string; replace?: boolean; submit?: boolean };
  /** `key`: name of a key or a shortcut, such as `Control+Shift+T`. */
  key: { key: string; count?: number };
  /** `value`: also a number or a date is a text here, such as `1234.5` or `2026-12-31`. */
  set: { ref?: string; value: string };
  /** `force`: leaves the current page even if it does not answer or has an open dialog. */
  open: { url: string; new_tab?: boolean; force?: boolean };
  /** `id`: id of a tab. Default: the active tab. */
  tabs: { action?: 'list' | 'activate' | 'close' | 'reload' | 'back' | 'forward'; id?: number };
  files: object;
  /**
   * `files`: ids of uploads or downloads. `timeout`: longest wait for a page that requests files, in
   * milliseconds.
   */
  choose: { files: string[]; timeout?: number };
  dialog: { accept: boolean; text?: string };
  wait: { milliseconds?: number };
  batch: { actions: ComputerAction[]; continue_on_error?: boolean };
}

/** An action of a batch: the options of a method, with the name of the method. */
export type ComputerAction = {
  [Method in Exclude<ComputerMethod, 'batch'>]: { type: Method } & ComputerOptions[Method];
}[Exclude<ComputerMethod, 'batch'>];
