import type { LocalFile } from '../core/index.js';
import type { Download, FileChooser } from '../protocol/index.js';

/** An upload that the element makes. A plain object that does not change. */
export interface UploadProgress {
  /** Of this element, not of the session. */
  readonly id: number;
  /** Of its file, or how many files there are. */
  readonly name: string;
  /** Bytes that the session has, and all. */
  readonly sent: number;
  readonly size: number;
  readonly state: 'running' | 'done' | 'failed';
  /** A sentence for people, with the state `failed`. */
  readonly message?: string;
}

/** A page asks this user for files. Prevented, no local chooser opens: answer by `client.files`. */
export class FileChooserEvent extends Event {
  constructor(readonly chooser: FileChooser) {
    super('filechooser', { cancelable: true });
  }
}

/** Files were dropped onto the picture. Prevented, they are not uploaded. */
export class FileDropEvent extends Event {
  constructor(
    readonly files: readonly LocalFile[],
    /** Pixels of the remote screen. */
    readonly x: number,
    readonly y: number,
  ) {
    super('filedrop', { cancelable: true });
  }
}

/** An upload of the element begins, goes on, or is over. Prevented, the list does not show it. */
export class UploadEvent extends Event {
  constructor(readonly upload: UploadProgress) {
    super('upload', { cancelable: true });
  }
}

/** A download of the session begins, goes on, or is over. Prevented, the list does not show it. */
export class DownloadEvent extends Event {
  constructor(readonly download: Download) {
    super('download', { cancelable: true });
  }
}
