/**
 * The visible part of a picture, at its top left; the rest is the encoder's padding. Answers the picture itself where there is
 * none. What is made here shares the pixels, and is the caller's to close.
 */
export function cropped(
  image: VideoFrame | ImageBitmap,
  width: number,
  height: number,
): VideoFrame | ImageBitmap {
  if (!('displayWidth' in image)) return image;
  if (image.displayWidth === width && image.displayHeight === height) return image;
  return new VideoFrame(image, { visibleRect: { x: 0, y: 0, width, height } });
}
