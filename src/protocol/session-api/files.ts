/** A page requests files. Sent to the user who acted last before the request. */
export interface FileChooser {
  id: string;
  /** True if several files may be chosen. */
  multiple: boolean;
  /** True if the page wants a folder with all its content. */
  directory: boolean;
  /** The attribute `accept` of the page's field. Empty if the page accepts any file. */
  accept: string;
  /** Milliseconds after which the session reports to the page that no file was chosen. */
  timeout: number;
}

/** A file that a user wants to upload to a page. */
export interface OfferedFile {
  /** The file name without a folder. The session replaces characters that its file names cannot contain. */
  name: string;
  /** Size in bytes. */
  size: number;
  /**
   * Path of the file's folder. It begins with the name of the chosen or dropped folder, for example
   * `photos/2026`.
   */
  folder?: string;
  /** Time of the last change in milliseconds since 1970. */
  lastModified?: number;
}

/**
 * The target of files: the `chooser` of the page that requested them, or the position of a drop in pixels of
 * the screen. With `upload`, the files are added to an earlier offer. One message can contain only a few
 * hundred names, so a large upload needs several offers.
 */
export type FileTarget = { chooser: string } | { x: number; y: number } | { upload: string };

/** An accepted upload. */
export interface Upload {
  id: string;
  /**
   * One ticket for each file of this offer, in order. The ticket is part of the URL to which the file's bytes
   * are sent, see `docs/protocol.md`.
   */
  tickets: string[];
}

/** The state of a download. `cancelled`: a user or program cancelled it. `failed`: an error ended it. */
export type DownloadState = 'running' | 'done' | 'cancelled' | 'failed';

/**
 * The reason why a download failed: too large, no room left, no data for a long time, or an interruption in
 * the browser.
 */
export type DownloadFailure = 'too-large' | 'quota' | 'stalled' | 'interrupted';

/** A file that a page offered, or a page that was printed as a PDF. */
export interface Download {
  id: string;
  /** The suggested file name. Never a path. */
  name: string;
  /** Size in bytes. Null while it is unknown. */
  size: number | null;
  /** Number of bytes that the session has received so far. */
  received: number;
  state: DownloadState;
  /** Present with the state `failed`. */
  failure?: DownloadFailure;
  kind: 'download' | 'print';
}

/**
 * The methods for files. Uploads need the role `file_upload`. Downloads need the role `file_download`. The
 * admin token replaces both roles.
 */
export interface FileMethods {
  /** Announces files that the user uploads to a page. Their bytes are sent next, by HTTP. */
  offer(target: FileTarget, files: readonly OfferedFile[]): Upload;
  /**
   * Completes an upload after all its bytes were sent. Passes the files to the page. Resolves when the page
   * has the files.
   */
  finish(upload: string): void;
  /**
   * Cancels an upload or a running download. With the id of a chooser, reports to the page that no file was
   * chosen.
   */
  cancel(id: string): void;
  /** Returns all downloads, the oldest first. */
  list(): Download[];
  /** Returns a ticket to fetch a finished download by HTTP. The ticket is valid for one minute. */
  ticket(download: string): string;
  /** Removes a download and its file. */
  remove(download: string): void;
  /** Announces (stages) a file that a program sends next and gives to a page later. Only for programs. */
  stage(file: OfferedFile): Upload;
  /** Keeps a staged file after its bytes were sent. Only for programs. */
  keep(upload: string): void;
  /** Removes a staged or kept file. Only for programs. */
  discard(upload: string): void;
  /**
   * Gives files to the page that has requested files from the program. `files`: ids of uploads or downloads.
   * `timeout`: longest wait for such a page, in milliseconds, 0 to 15000. Only for programs.
   */
  choose(files: readonly string[], timeout: number): void;
}

/** The events of files. */
export interface FileEvents {
  /** A page requests files from this user. For users with the role `file_upload`, and admins. */
  onChooser: [chooser: FileChooser];
  /** The page no longer waits for files. Sent to the user who received `onChooser`. */
  onChooserClosed: [id: string];
  /**
   * A download has started, has made progress, or has ended. Progress is sent at most four times per second.
   * For users with the role `file_download`, and admins.
   */
  onDownload: [download: Download];
  /** A download was removed. For users with the role `file_download`, and admins. */
  onRemoved: [id: string];
}

/** The names of {@link FileMethods}. */
export const FILE_METHODS = [
  ...(['offer', 'finish', 'cancel', 'list', 'ticket', 'remove'] as const),
  ...(['stage', 'keep', 'discard', 'choose'] as const),
] as const;
/** The names of {@link FileEvents}. */
export const FILE_EVENTS = ['onChooser', 'onChooserClosed', 'onDownload', 'onRemoved'] as const;

/** Maximum number of files in one upload. */
export const MAX_FILES = 1_000;
