/**
 * Turns off the browser's own download notices, which would cover the page of a kiosk. The setting lasts
 * until the browser ends.
 */
export async function hideDownloads(): Promise<void> {
  await chrome.downloads.setUiOptions({ enabled: false });
}
