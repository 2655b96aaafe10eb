/**
 * Functions that change the mode in which the browser shows a video: on the page, in full screen, or in a
 * small window (picture in picture). A browser may refuse a change, for example before the first picture.
 * Then nothing changes.
 */

/** True if the element is shown in full screen. */
export function isFullscreen(element: Element): boolean {
  return element.matches(':fullscreen');
}

/** Shows an element in full screen. If the element is already in full screen, leaves full screen. */
export function toggleFullscreen(element: Element): void {
  const change = isFullscreen(element) ? document.exitFullscreen() : element.requestFullscreen();
  change.catch(() => undefined);
}

/**
 * Shows a video in a small window. If any video of the page is already in a small window, closes that window.
 */
export function toggleSmallWindow(video: HTMLVideoElement | undefined): void {
  const change = document.pictureInPictureElement
    ? document.exitPictureInPicture()
    : video?.requestPictureInPicture();
  change?.catch(() => undefined);
}
