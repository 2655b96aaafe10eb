/**
 * All English texts, as the source for translations. They include texts that the session or the SDK sends.
 * The element does not load this module.
 */
import type { Notice } from '../../../protocol/index.js';
import type { ImageNotice } from '../../../viewer/index.js';
import { TEXTS } from '../built-in.js';
import { DIALOG_TEXTS } from './dialogs-in-english.js';
import { ERROR_TEXTS } from './errors-in-english.js';
import { FILE_TEXTS } from './files-in-english.js';
import { MIRROR_TEXTS } from './mirror-in-english.js';
import { REPLAY_TEXTS } from './replay-in-english.js';

/**
 * Keys that {@link TOLD_TEXTS} must contain at least: one for each notice, and one for each reason to show
 * images instead of video.
 */
type Told = `notice.${Notice['kind']}` | `images.${ImageNotice['cause']}`;

/**
 * English texts of messages from the session or the SDK. Translations replace the messages by key. For
 * the end of a connection, users whose language is English see the session's own message.
 */
export const TOLD_TEXTS = {
  keys: 'Keys go to the remote browser. To leave it, press Control, Alt and Shift together.',
  'copy.waiting': 'Copied in the remote browser. One click copies it here.',
  'copy.copied': 'Copied.',
  'copy.files': 'Only text and pictures can be pasted. Drop files on the picture instead.',
  'copy.unwritable':
    'This browser does not let the page write the clipboard. The page needs https. A frame also needs the permission clipboard-write.',
  'images.insecure-page': 'Images are shown instead of video because this page is not served over https.',
  'images.no-webcodecs': 'Images are shown instead of video because this browser has no WebCodecs.',
  'images.no-h264': 'Images are shown instead of video because this browser cannot decode H.264.',
  'images.decoder-failed': 'Images are shown instead of video because decoding it failed.',
  'notice.browser-crashed': 'The browser crashed and was started again.',
  'notice.browser-hung':
    'The browser did not answer any more and was started again. If it stops again soon, it opens an empty page.',
  'notice.browser-hung-again':
    'The browser stopped answering twice. It was started again with an empty page. Open another page.',
  'notice.browser-closed': 'The browser was closed and was started again.',
  'notice.browser-resumed': 'A part of the browser stopped for some seconds. It works again.',
  'notice.picture-restarted': 'The picture was interrupted and is back.',
  'notice.sound-restarted': 'The sound was interrupted and is back.',
  'notice.network-restarted':
    'The browser’s network was interrupted and is back. Load again what is missing.',
  'notice.page-hung': 'A page does not answer. Wait for it, or go to another page.',
  'notice.page-crashed': 'A page crashed. Load it again to go on.',
  'notice.page-ended':
    'The session stopped a page, because too much memory or too many processes were in use. Load it again.',
  'notice.control-given': 'You have control of the browser.',
  'notice.control-taken':
    'You do not have control of the browser now. Another user has it, or you may only watch.',
  'notice.privacy-ended': 'Privacy has ended: the others can see this browser again.',
  'notice.field-masked':
    'This field is masked: you may not write into it. Your typing is ignored until you click elsewhere or press Tab.',
  'notice.upload-refused': 'The page asks for a file, but you may not upload files in this session.',
  'notice.download-refused': 'The page offers a file, but you may not download files in this session.',
  'notice.print-refused':
    'You may not print in this session: a printed page is a file, and you may not download files.',
  'notice.tab-refused': 'No more pages can be opened. Close one first.',
  'notice.link-refused': 'This link opens a program, such as one for mail or calls. This browser has none.',
  'unauthorized.said': 'You may not join this session now. Ask its host for access.',
  'flooding.said': 'You sent too much at once. Wait a moment, then connect again.',
} as const satisfies Record<Told, string> & Record<string, string>;

const english = {
  ...{ ...TEXTS, ...FILE_TEXTS, ...MIRROR_TEXTS, ...DIALOG_TEXTS },
  ...{ ...ERROR_TEXTS, ...REPLAY_TEXTS, ...TOLD_TEXTS },
};
export default english;
