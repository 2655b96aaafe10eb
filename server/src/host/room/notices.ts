import type { Notice } from 'cloud-browser/protocol';

/** What viewers are told of the browser, by what happened to it. */
export const NOTICES = {
  browserCrashed: {
    type: 'notice',
    kind: 'browser-crashed',
    message: 'The browser crashed and was started again.',
  },
  browserHung: {
    type: 'notice',
    kind: 'browser-hung',
    message: 'The browser did not answer any more and was started again.',
  },
  browserClosed: {
    type: 'notice',
    kind: 'browser-closed',
    message: 'The browser was closed and was started again.',
  },
  soundRestarted: {
    type: 'notice',
    kind: 'sound-restarted',
    message: 'The sound was interrupted and is back.',
  },
  networkRestarted: {
    type: 'notice',
    kind: 'network-restarted',
    message:
      'The browser’s network did not answer any more and was started again. Load again what is missing.',
  },
  pageHung: {
    type: 'notice',
    kind: 'page-hung',
    message: 'A page does not answer. Wait for it, or go to another page.',
  },
  pageCrashed: {
    type: 'notice',
    kind: 'page-crashed',
    message: 'A page crashed. Load it again to go on.',
  },
  pageEnded: {
    type: 'notice',
    kind: 'page-ended',
    message: 'A page used more memory or processes than this session has, and was ended.',
  },
  controlGiven: {
    type: 'notice',
    kind: 'control-given',
    message: 'You have control of the browser.',
  },
  controlTaken: {
    type: 'notice',
    kind: 'control-taken',
    message: 'You have no control of the browser now: somebody else has, or you may only watch.',
  },
  fieldMasked: {
    type: 'notice',
    kind: 'field-masked',
    message: 'This field is masked: you may not write into it.',
  },
  uploadRefused: {
    type: 'notice',
    kind: 'file-refused',
    message: 'The page asks for a file, and you may not upload any in this session.',
  },
  downloadRefused: {
    type: 'notice',
    kind: 'file-refused',
    message: 'The page gives out a file, and you may not download any from this session.',
  },
  tabRefused: {
    type: 'notice',
    kind: 'tab-refused',
    message: 'No more pages can be opened: close one first.',
  },
} as const satisfies Record<string, Notice>;
