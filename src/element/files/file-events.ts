import type { LocalFile } from '../../core/index.js';
import type { Download, FileChooser } from '../../protocol/index.js';

/** An upload of the element, as an immutable plain object. */
export interface UploadProgress {
  /** Id of the upload in this element. The session does not know this id. */
  readonly id: number;
  /** Name of the file, or the number of files as a text, for example `3 files`. */
  readonly name: string;
  /** Number of bytes that the session received. `size` is the total number of bytes. */
  readonly sent: number;
  readonly size: number;
  readonly state: 'running' | 'done' | 'failed';
  /** A sentence for users. Set in the state `failed`. */
  readonly message?: string;
}

/**
 * A remote page asks this user for files. After `preventDefault()` no local file chooser opens, and the
 * application answers with `client.files`.
 */
export class FileChooserEvent extends Event {
  constructor(readonly chooser: FileChooser) {
    super('filechooser', { cancelable: true });
  }
}

/** The user dropped files onto the picture. After `preventDefault()` the element does not upload them. */
export class FileDropEvent extends Event {
  constructor(
    readonly files: readonly LocalFile[],
    /** Position in pixels of the remote screen. */
    readonly x: number,
    readonly y: number,
  ) {
    super('filedrop', { cancelable: true });
  }
}

/**
 * An upload of the element started, progressed or finished. After `preventDefault()` the list does not show
 * it.
 */
export class UploadEvent extends Event {
  constructor(readonly upload: UploadProgress) {
    super('upload', { cancelable: true });
  }
}

/**
 * A download of the session started, progressed or finished. After each connect, the element also dispatches
 * this event for every download of the session. After `preventDefault()` the list does not show it.
 */
export class DownloadEvent extends Event {
  constructor(readonly download: Download) {
    super('download', { cancelable: true });
  }
}
