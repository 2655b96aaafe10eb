/**
 * Every word in English, to be translated: the element's own, those of the list of files and of the mirror, and those that the session and the SDK say
 * themselves, which the element has no copy of. Not loaded by the element.
 */
import type { Notice } from '../../protocol/index.js';
import type { ImageNotice } from '../../viewer/index.js';
import { TEXTS } from './built-in.js';
import { FILE_TEXTS } from './files-in-english.js';
import { MIRROR_TEXTS } from './mirror-in-english.js';

/** None of these may be without words in another language. */
type Told = `notice.${Notice['kind']}` | `images.${ImageNotice['cause']}`;

/** Said in English by the session or the SDK; another language has words for the same thing by its name. */
export const TOLD_TEXTS = {
  keys: 'Keys go to the remote browser. Control, Alt and Shift together leave it.',
  'copy.waiting': 'Copied in the remote browser. One click copies it here.',
  'copy.copied': 'Copied.',
  'copy.unwritable':
    'This browser does not let the page copy this. Open it over https, in a frame that may write the clipboard.',
  'images.insecure-page': 'Images are shown instead of video because this page is not served over https.',
  'images.no-webcodecs': 'Images are shown instead of video because this browser has no WebCodecs.',
  'images.no-h264': 'Images are shown instead of video because this browser cannot decode H.264.',
  'images.decoder-failed': 'Images are shown instead of video because decoding it failed.',
  'notice.browser-crashed': 'The browser crashed and was started again.',
  'notice.browser-hung': 'The browser did not answer any more and was started again.',
  'notice.browser-closed': 'The browser was closed and was started again.',
  'notice.sound-restarted': 'The sound was interrupted and is back.',
  'notice.network-restarted':
    'The browser’s network did not answer any more and was started again. Load again what is missing.',
  'notice.page-hung': 'A page does not answer. Wait for it, or go to another page.',
  'notice.page-crashed': 'A page crashed. Load it again to go on.',
  'notice.page-ended': 'A page used more memory or processes than this session has, and was ended.',
  'notice.control-given': 'You have control of the browser.',
  'notice.control-taken': 'You have no control of the browser now: somebody else has, or you may only watch.',
  'notice.field-masked': 'This field is masked: you may not write into it.',
  'notice.file-refused': 'The page asks for a file or gives one out, which this session does not allow you.',
  'notice.tab-refused': 'No more pages can be opened: close one first.',
  'unauthorized.said': 'You were refused, or nobody could be asked whether you may join.',
  'flooding.said': 'Too much comes from you. Wait a moment, then connect again.',
  'failed.detail': 'This address cannot be opened.',
  'error.err_forbidden': 'You may not do this in this session, or only with control of the browser.',
  'error.err_not_connected': 'There is no connection to the session now.',
  'error.err_call_timeout': 'The session did not answer in time. Try again.',
  'error.err_call_failed': 'This failed in the session. Try again.',
  'error.err_too_many_calls': 'Too much at once. Try again in a moment.',
  'error.err_browser_unavailable': 'The browser is being started again. Try again in a moment.',
  'error.err_clipboard_too_large': 'Too large: texts may have 4 MiB, pictures 16 MiB. Use a file instead.',
  'error.err_clipboard_busy': 'Too much is being copied and pasted. Try again in a moment.',
  'error.err_clipboard_no_answer': 'The clipboard was not handed over in time. Try again.',
  'error.err_clipboard_no_transfer': 'Not all of it has come. Try again.',
  'error.err_invalid_parameter': 'The session cannot take these files as they are. Send them as an archive.',
  'error.err_file_too_large': 'A file is too large for this session.',
  'error.err_file_quota': 'The session has no room for these files. Send fewer, or remove downloads.',
  'error.err_file_transfer': 'The file could not be sent. Try again.',
  'error.err_upload_gone': 'The session has given this upload up.',
  'error.err_download_gone': 'The file is not there any more.',
  'error.err_chooser_gone': 'The page does not wait for files any more.',
  'error.err_drop_refused': 'No page took the files here, or you may not act on it now.',
} as const satisfies Record<Told, string> & Record<string, string>;

const english = { ...TEXTS, ...FILE_TEXTS, ...MIRROR_TEXTS, ...TOLD_TEXTS };
export default english;
