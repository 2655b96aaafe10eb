import type { DownloadFailure } from '../../protocol/index.js';

/** Every word that the list of files shows. */
export const FILE_WORDS = {
  title: 'Files',
  hide: 'Hide the list of files',
  asked: 'The page asks for a file.',
  askedMany: 'The page asks for files.',
  askedFolder: 'The page asks for a folder.',
  choose: 'Choose file',
  chooseMany: 'Choose files',
  chooseFolder: 'Choose folder',
  cancel: 'Cancel',
  save: 'Save',
  saveAgain: 'Save again',
  remove: 'Remove',
  sending: 'Uploading',
  sent: 'Uploaded',
  files: (count: number): string => `${count} files`,
  coming: 'Downloading',
  printing: 'Printing',
  ready: 'Ready',
  saved: 'Saved',
  cancelled: 'Cancelled',
  failures: {
    'too-large': 'Too large for this session.',
    quota: 'The session has no room for it. Remove other files.',
    stalled: 'Nothing came for a minute.',
    interrupted: 'It was interrupted.',
  } satisfies Record<DownloadFailure, string>,
};

const UNITS = ['B', 'kB', 'MB', 'GB'];

/** Bytes for people: `12.3 MB`. */
export function sizeText(bytes: number): string {
  const unit = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const value = bytes / 1000 ** unit;
  return `${unit > 0 && value < 100 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}
