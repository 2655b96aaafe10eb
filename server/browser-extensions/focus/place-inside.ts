/** An element that shows another document: `iframe`, `frame`, `object` or `embed`. */
export type FrameElement = HTMLElement;

/** True if the element can show another document. */
export function isFrame(element: Element | undefined): element is FrameElement {
  return element instanceof HTMLElement && element.matches('iframe, frame, object, embed');
}

/**
 * Returns the position in the document that a frame element shows, for a position in the page around it. CSS
 * pixels of each document.
 */
export function placeInside(frame: FrameElement, x: number, y: number): [x: number, y: number] {
  const { left, top, width } = frame.getBoundingClientRect();
  const { paddingLeft, paddingTop } = getComputedStyle(frame);
  // A transform also scales the content.
  const scale = frame.offsetWidth > 0 ? width / frame.offsetWidth : 1;
  const [innerX, innerY] = [(x - left) / (scale || 1), (y - top) / (scale || 1)];
  return [
    innerX - frame.clientLeft - parseFloat(paddingLeft),
    innerY - frame.clientTop - parseFloat(paddingTop),
  ];
}
