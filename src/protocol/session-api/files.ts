/** A page asks its user for files. Told to the user who made it ask. */
export interface FileChooser {
  id: string;
  /** Several files may be chosen. */
  multiple: boolean;
  /** A folder is wanted, with all that is in it. */
  directory: boolean;
  /** As the attribute `accept` of the page's field; empty for any file. */
  accept: string;
  /** Milliseconds after which the page is told that nothing was chosen. */
  timeout: number;
}

/** A file that a user wants to give to a page. */
export interface OfferedFile {
  /** The last part of its name; what no file of the session can be called is replaced. */
  name: string;
  /** Bytes. */
  size: number;
  /** Its folder and those around it, up to the one that was chosen or dropped: `photos/2026`. */
  folder?: string;
  /** When it was changed last, in milliseconds since 1970. */
  lastModified?: number;
}

/**
 * Where files are to go: to the page that asked for them, to a place of the screen where they are dropped (pixels of the screen), or
 * with those that were offered before in the same upload, since a message has room for some hundred names.
 */
export type FileTarget = { chooser: string } | { x: number; y: number } | { upload: string };

/** An upload that was agreed to. */
export interface Upload {
  id: string;
  /** One for each file of this offer, in its order: where its bytes are sent, see `docs/protocol.md`. */
  tickets: string[];
}

/** How a download stands. `cancelled` by somebody, `failed` by itself. */
export type DownloadState = 'running' | 'done' | 'cancelled' | 'failed';

/** Why the session gave a download up: too large, no room left, no byte for a long time, or what the browser calls an interruption. */
export type DownloadFailure = 'too-large' | 'quota' | 'stalled' | 'interrupted';

/** A file that a page gave out, or a page that was printed as a PDF. */
export interface Download {
  id: string;
  /** What it is to be called; never a path. */
  name: string;
  /** Bytes; null before that is known. */
  size: number | null;
  /** Bytes that the session has. */
  received: number;
  state: DownloadState;
  /** With the state `failed`. */
  failure?: DownloadFailure;
  kind: 'download' | 'print';
}

/** The methods for files. Uploads need the role `file_upload`, downloads `file_download`; or the admin token. */
export interface FileMethods {
  /** Asks to give these files to a page. Their bytes are sent next, by HTTP. */
  offer(target: FileTarget, files: readonly OfferedFile[]): Upload;
  /** All bytes are sent: gives the files to the page. Answered when the page has them. */
  finish(upload: string): void;
  /** Gives up an upload, or a download that runs; or tells the page that asked for files that nothing was chosen. */
  cancel(id: string): void;
  /** What can be downloaded, or could be; the oldest first. */
  list(): Download[];
  /** Where a download that is done can be fetched by HTTP within a minute. */
  ticket(download: string): string;
  /** Forgets a download and removes its file. */
  remove(download: string): void;
}

/** The events of files. */
export interface FileEvents {
  /** A page asks this user for files. For users with the role `file_upload`. */
  onChooser: [chooser: FileChooser];
  /** The page does not wait for files any more. */
  onChooserClosed: [id: string];
  /** A download has begun or goes on, at most four times a second, or is over. For users with the role `file_download`. */
  onDownload: [download: Download];
  /** A download was removed. As `onDownload`. */
  onRemoved: [id: string];
}

/** The names of {@link FileMethods}. */
export const FILE_METHODS = ['offer', 'finish', 'cancel', 'list', 'ticket', 'remove'] as const;
/** The names of {@link FileEvents}. */
export const FILE_EVENTS = ['onChooser', 'onChooserClosed', 'onDownload', 'onRemoved'] as const;

/** Files of one upload. */
export const MAX_FILES = 1_000;
