import type { PageDialog } from './dialogs.js';
import type { DownloadState, Upload } from './files.js';

/** The formats of a picture of the screen. */
export const PICTURE_FORMATS = ['png', 'jpeg', 'webp'] as const;
/** One of {@link PICTURE_FORMATS}. */
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** A rectangle of the screen, in pixels of the screen. */
export interface ScreenRegion {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Options of a screenshot. */
export interface ScreenshotOptions {
  /** Default: `png`. */
  format?: PictureFormat;
  /** Quality of `jpeg` and `webp`, 1 to 100. Default 85. */
  quality?: number;
  /** The part of the screen. Default: the whole screen, with the toolbar of the browser. */
  region?: ScreenRegion;
  /** Size of the picture relative to the screen, 0.05 to 1. Default 1. */
  scale?: number;
  /** True if the picture shows the pointer. Default false. */
  cursor?: boolean;
  /**
   * Waits until nothing has changed on the screen for this many milliseconds, 0 to 5000. A blinking caret
   * does not count as a change. Default 0.
   */
  wait_for_stable?: number;
  /**
   * Limit of the wait for `wait_for_stable` in milliseconds, 0 to 15000. After this time, the picture is
   * taken anyway. Default 5000.
   */
  timeout?: number;
}

/** A picture of the screen. */
export interface Screenshot {
  format: PictureFormat;
  /** Size of the picture in pixels. */
  width: number;
  height: number;
  /** The part of the screen that the picture shows, in pixels of the screen. */
  region: ScreenRegion;
  /** False if the screen still changed when `timeout` ended. */
  stable: boolean;
  /** The bytes of the picture, base64. */
  data: string;
}

/**
 * The methods by which a program uses the browser like a person, for example with pictures, mouse and
 * keyboard. The service calls them for programs, in sessions with `automation`.
 */
export const COMPUTER_METHODS = [
  'screenshot',
  'click',
  'move',
  'drag',
  'scroll',
  'type',
  'key',
  'set',
  'wait',
  'batch',
  'accessibility',
  'open',
  'tabs',
  'files',
  'choose',
  'dialog',
] as const;
/** One of {@link COMPUTER_METHODS}. */
export type ComputerMethod = (typeof COMPUTER_METHODS)[number];

/**
 * The methods by which the service transfers files on behalf of a program. `stage` takes `{name, size}`, all
 * others take `{id}`.
 */
export const PROGRAM_FILE_METHODS = ['ticket', 'remove', 'stage', 'keep', 'discard'] as const;

/** Methods of {@link PROGRAM_FILE_METHODS}. */
export interface ProgramFileMethods {
  /** Returns a ticket to fetch a finished download by HTTP. The ticket is valid for one minute. */
  ticket(options?: unknown): string;
  /** Removes a download and its file. */
  remove(options?: unknown): void;
  /** Announces (stages) a file that the program sends next. */
  stage(options?: unknown): Upload;
  /** Keeps a staged file after its bytes were sent. */
  keep(options?: unknown): void;
  /** Removes a staged or kept file. */
  discard(options?: unknown): void;
}

/** Result of the methods that act and return no data. */
export interface ComputerDone {
  done: true;
  /** True if `open` did not wait any longer, and the web server has not answered yet. */
  loading?: true;
  /**
   * Set if `open` did not change the page. `download`: the address is a file, which the browser downloads.
   * `no_document`: the web server sent no document, or the navigation was cancelled.
   */
  unchanged?: 'download' | 'no_document';
}

/** The accessibility tree of the active page as text. */
export interface AccessibilityText {
  /**
   * One line per node, with its role, name, states and `[ref=e12]`. Actions accept the reference. Nested
   * nodes are indented.
   */
  text: string;
  /** False if nodes are missing, because the page is large or slow. */
  complete: boolean;
  /**
   * Set if the text ends early because it has reached its maximum length. The next call returns the text
   * after this reference if it has the reference as `after`.
   */
  next?: string;
  url: string;
  title: string;
  /** True if the tab still waits for a web server. The text is that of the page that it shows until then. */
  loading?: true;
  /**
   * True if the browser asks for a user name and a password before it opens the address. Its window has the
   * keyboard focus, and is no part of the page.
   */
  sign_in?: true;
  /**
   * True if the page is a PDF. Its content is not part of the accessibility tree. To read it, take a
   * screenshot, or press Control+P, which downloads the file.
   */
  pdf?: true;
  /** The dialog that the page shows. Until a user or a program answers it, the page reacts to no input. */
  dialog?: PageDialog;
}

/** The tabs of the browser. */
export interface ComputerTabs {
  tabs: { id: number; title: string; url: string; active: boolean }[];
  /**
   * True if `reload`, `back` or `forward` did not wait any longer, and the web server has not answered yet.
   */
  loading?: true;
}

/** The downloads of the session. */
export interface ComputerFiles {
  files: { id: string; name: string; size: number | null; state: DownloadState }[];
}

/** Result of one action. */
export type ComputerActionResult =
  Screenshot | AccessibilityText | ComputerDone | ComputerTabs | ComputerFiles;

/** Result of one step of a `batch`. */
export type ComputerStep =
  | { type: string; result: ComputerActionResult }
  | { type: string; error: { code: string; message: string } }
  | { type: string; skipped: true };

/** Result of a method, by its name. */
export type ComputerResult<Method extends ComputerMethod> = Method extends 'screenshot'
  ? Screenshot
  : Method extends 'accessibility'
    ? AccessibilityText
    : Method extends 'batch'
      ? { steps: ComputerStep[] }
      : Method extends 'tabs'
        ? ComputerTabs
        : Method extends 'files'
          ? ComputerFiles
          : ComputerDone;

/** The methods. The session checks the form of their argument. */
export type ComputerMethods = {
  [Method in ComputerMethod]: (options?: unknown) => ComputerResult<Method>;
};
