/**
 * English error messages for users, by error code. Most say what happened and what the user can do next. The
 * `message` of an error is for developers. The element shows it only if it names the limit of an upload. A
 * suffix names the action that failed: `.upload` is for a failed upload.
 */
export const ERROR_TEXTS = {
  'error.err_forbidden': 'You may not do this in this session. Ask its host.',
  'error.err_forbidden.upload': 'You may not upload files in this session. Ask its host.',
  'error.err_forbidden.copy': 'You may not copy out of this browser. Ask the host of the session.',
  'error.err_forbidden.paste': 'You can paste while you control the browser. Ask for control first.',
  'error.err_forbidden.privacy':
    'Privacy mode is not available to you right now. Ask the host of the session.',
  'error.err_privacy_limit': 'Privacy mode cannot start again yet. Wait a moment, then try again.',
  'error.err_not_connected': 'There is no connection to the session now. Wait a moment, then try again.',
  'error.err_call_timeout': 'The session did not answer in time. Try again.',
  'error.err_call_failed': 'This did not work in the session. Try again.',
  'error.err_too_many_calls': 'Too much at once. Try again in a moment.',
  'error.err_invalid_parameter': 'The session cannot take this as it is. Try something else.',
  'error.err_invalid_parameter.upload':
    'The session cannot take these files as they are. Send them as an archive.',
  'error.err_user_not_found': 'This person is not in the session any more.',
  'error.err_user_away': 'This person is not connected right now. Wait until they are back.',
  'error.err_viewer_required': 'This works only in the window of the session.',
  'error.err_chrome': 'The browser could not do this. Try it another way.',
  'error.err_address_not_allowed': 'This address cannot be opened here. Try another one.',
  'error.err_dialog_open': 'The page asks something. Answer it first.',
  'error.err_dialog_gone': 'The page does not ask this any more.',
  'error.err_page_unresponsive': 'The page does not answer. Wait, or close it.',
  'error.err_too_many_tabs': 'No more pages can be opened. Close one first.',
  'error.err_browser_unavailable': 'The browser is being started again. Try again in a moment.',
  'error.err_clipboard_too_large':
    'This is too large to copy or paste: texts may have 4 MiB, pictures 16 MiB. Use a file instead.',
  'error.err_clipboard_busy': 'Too much is being copied and pasted. Try again in a moment.',
  'error.err_clipboard_no_answer': 'The copied content did not arrive in time. Try again.',
  'error.err_clipboard_no_transfer': 'The content did not arrive completely. Paste it again.',
  'error.err_file_too_large': 'A file is too large for this session. Send a smaller one.',
  'error.err_file_quota': 'The session has no room for these files. Send fewer, or remove downloads.',
  'error.err_file_transfer': 'The file could not be sent. Try again.',
  'error.err_upload_gone': 'The upload was interrupted. Try again.',
  'error.err_download_gone': 'The file is not there any more. Download it again on the page.',
  'error.err_chooser_gone': 'The page does not wait for files any more. Choose again on the page.',
  'error.err_drop_refused': 'No page accepted this here. Drop it elsewhere, or ask for control first.',
  'error.err_field_masked': 'This field is masked.',
  'error.err_picture_too_large': 'The picture is too large.',
  'error.err_node_gone': 'The page has changed meanwhile. Try again.',
  'error.err_person_has_control': 'Somebody else is using the browser. Wait until they have finished.',
  'error.err_agent_gone': 'The program has left this session. Start it again.',
  'error.err_agent_kicked': 'The program was removed from this session.',
  'error.err_too_many_agents': 'No more programs can use this browser. End one first.',
  'error.err_handoff_gone': 'This request was answered already, or has ended.',
  'error.err_too_many_handoffs': 'Too many requests wait for an answer. Answer one first.',
  'error.err_unknown_method': 'This session cannot do this.',
  'error.err_unknown_event': 'This session cannot do this.',
} as const satisfies Record<string, string>;
