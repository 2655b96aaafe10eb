/**
 * English texts of the dialogs of pages. They load with the views over the picture. `{site}` is a host name.
 */
export const DIALOG_TEXTS = {
  'dialog.site': '{site} says',
  'dialog.page': 'This page says',
  'dialog.leaving': 'Leave this page?',
  'dialog.unsaved': 'Changes that you made may not be saved.',
  'dialog.ok': 'OK',
  'dialog.cancel': 'Cancel',
  'dialog.leave': 'Leave',
  'dialog.stay': 'Stay',
} as const satisfies Record<string, string>;
