/** Address of the new tab page in settings and records. */
export const NEW_TAB_PAGE = 'about:newtab';
/** The only address at which Chromium opens the page for every kind of navigation. */
const CHROMIUM_ADDRESS = 'chrome://newtab/';
/**
 * Spellings that Chromium's own documents, its address bar and extensions use. Query and fragment have no
 * meaning there.
 */
const SPELLINGS = /^(?:chrome|about):(?:\/\/)?(?:newtab|new-tab-page(?:-third-party)?)\/*(?:[?#]\S*)?$/i;

/**
 * True if a text is an address of the new tab page, for example `chrome://newtab` or `about:newtab/`, in any
 * case.
 */
export function isNewTabPage(text: string): boolean {
  return SPELLINGS.test(text.trim());
}

/** Returns the address to send to Chromium for an address that `webAddress` has returned. */
export function chromiumAddress(address: string): string {
  return address === NEW_TAB_PAGE ? CHROMIUM_ADDRESS : address;
}
