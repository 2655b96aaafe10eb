/** Keeps the browser from telling of downloads itself: in a kiosk it would do so over the page. It forgets that when it ends. */
export async function hideDownloads(): Promise<void> {
  await chrome.downloads.setUiOptions({ enabled: false });
}
