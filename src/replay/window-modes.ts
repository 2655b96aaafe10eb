/**
 * Changes between the modes of the browser in which a video is shown: on the page, in full screen, and in a
 * small window. A browser may refuse a change, for example before the first picture. Then nothing changes.
 */

/** True if the element is shown in full screen. */
export function isFullscreen(element: Element): boolean {
  return element.matches(':fullscreen');
}

/** Shows an element in full screen, or ends that. */
export function toggleFullscreen(element: Element): void {
  const change = isFullscreen(element) ? document.exitFullscreen() : element.requestFullscreen();
  change.catch(() => undefined);
}

/** Shows a video in a small window, or ends that for the video that is shown there. */
export function toggleSmallWindow(video: HTMLVideoElement | undefined): void {
  const change = document.pictureInPictureElement
    ? document.exitPictureInPicture()
    : video?.requestPictureInPicture();
  change?.catch(() => undefined);
}
