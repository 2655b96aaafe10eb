/**
 * The names of DOM types that the SDK's declarations use, so that a program without the DOM library, such as a backend, can be
 * type-checked with them: each is empty there. Where there is a DOM library, an interface that adds nothing changes nothing.
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
