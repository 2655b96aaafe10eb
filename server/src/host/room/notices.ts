import type { Notice } from 'cloud-browser/protocol';

/** Notices for viewers about the browser, by event. */
export const NOTICES = {
  browserCrashed: {
    type: 'notice',
    kind: 'browser-crashed',
    message: 'The browser crashed and was started again.',
  },
  browserHung: {
    type: 'notice',
    kind: 'browser-hung',
    message:
      'The browser did not answer any more and was started again. If it stops again soon, it opens an empty page.',
  },
  browserHungAgain: {
    type: 'notice',
    kind: 'browser-hung-again',
    message:
      'The browser stopped answering twice. It was started again with an empty page. Open another page.',
  },
  browserClosed: {
    type: 'notice',
    kind: 'browser-closed',
    message: 'The browser was closed and was started again.',
  },
  browserResumed: {
    type: 'notice',
    kind: 'browser-resumed',
    message: 'A part of the browser stopped for some seconds. It works again.',
  },
  pictureRestarted: {
    type: 'notice',
    kind: 'picture-restarted',
    message: 'The picture was interrupted and is back.',
  },
  soundRestarted: {
    type: 'notice',
    kind: 'sound-restarted',
    message: 'The sound was interrupted and is back.',
  },
  networkRestarted: {
    type: 'notice',
    kind: 'network-restarted',
    message: 'The browser’s network was interrupted and is back. Load again what is missing.',
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
    message:
      'The session stopped a page, because too much memory or too many processes were in use. Load it again.',
  },
  controlGiven: {
    type: 'notice',
    kind: 'control-given',
    message: 'You have control of the browser.',
  },
  controlTaken: {
    type: 'notice',
    kind: 'control-taken',
    message: 'You do not have control of the browser now. Another user has it, or you may only watch.',
  },
  privacyEnded: {
    type: 'notice',
    kind: 'privacy-ended',
    message: 'Privacy has ended: the others can see this browser again.',
  },
  fieldMasked: {
    type: 'notice',
    kind: 'field-masked',
    message:
      'This field is masked: you may not write into it. Your typing is ignored until you click elsewhere or press Tab.',
  },
  uploadRefused: {
    type: 'notice',
    kind: 'upload-refused',
    message: 'The page asks for a file, but you may not upload files in this session.',
  },
  downloadRefused: {
    type: 'notice',
    kind: 'download-refused',
    message: 'The page offers a file, but you may not download files in this session.',
  },
  printRefused: {
    type: 'notice',
    kind: 'print-refused',
    message: 'You may not print in this session: a printed page is a file, and you may not download files.',
  },
  tabRefused: {
    type: 'notice',
    kind: 'tab-refused',
    message: 'No more pages can be opened. Close one first.',
  },
  linkRefused: {
    type: 'notice',
    kind: 'link-refused',
    message: 'This link opens a program, such as one for mail or calls. This browser has none.',
  },
} as const satisfies Record<string, Notice>;
