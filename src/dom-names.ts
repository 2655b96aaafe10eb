/**
 * Declares empty versions of the DOM types in the SDK's declarations. So programs without the DOM library,
 * for example backends, can be type-checked. With the DOM library these declarations change nothing.
 */
/* eslint-disable @typescript-eslint/no-empty-object-type */
declare global {
  interface DataTransfer {}
  interface Element {}
  interface HTMLCanvasElement {}
  interface HTMLElement {}
  interface ImageBitmap {}
  interface MediaStreamTrack {}
  interface Navigator {}
  interface VideoDecoderConfig {}
  interface VideoDecoderSupport {}
  interface VideoFrame {}
}

export {};
