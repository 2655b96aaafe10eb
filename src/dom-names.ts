/**
 * Declares empty versions of the DOM types that the SDK's declarations use. So programs without the DOM
 * library, for example backends, can be type-checked. If the DOM library is present, these declarations have
 * no effect.
 */
/* eslint-disable @typescript-eslint/no-empty-object-type */
declare global {
  interface AudioContext {}
  interface AudioData {}
  interface Blob {}
  interface DataTransfer {}
  interface Element {}
  interface GainNode {}
  interface HTMLCanvasElement {}
  interface HTMLElement {}
  interface ImageBitmap {}
  interface MediaStreamTrack {}
  interface Navigator {}
  interface VideoDecoderConfig {}
  interface VideoDecoderSupport {}
  interface VideoFrame {}
  interface WebSocket {}
}

export {};
