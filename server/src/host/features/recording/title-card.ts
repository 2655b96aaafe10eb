import { BYTES_PER_PIXEL } from '../../capture/frame-source.js';
import type { CodedSize } from '../../encode/codec-encoder.js';
import { H264Encoder } from '../../encode/h264-encoder.js';
import { ScreenImage } from '../../encode/screen-image.js';
import { QUALITIES } from '../../encode/quality.js';
import { letterRows, LETTER_HEIGHT, LETTER_WIDTH } from './letters.js';

/** Text of the card. */
const TEXT = ['PRIVACY MODE', 'NOT RECORDED'] as const;
const BACKGROUND = 0x20;
const FOREGROUND = 0xe0;
/** The text takes this share of the width. */
const TEXT_SHARE = 0.6;

/** Pictures that replace the session's pictures while a user is in privacy mode. */
export interface Card {
  /** Returns a key frame. */
  first(): Buffer;
  /** Returns a small frame that shows the same picture. */
  again(): Buffer;
  close(): void;
}

/** Returns a card with the text that privacy mode is not recorded. The card has an encoder of its own. */
export function titleCard({ codedWidth: width, codedHeight: height }: CodedSize): Card {
  const picture = new ScreenImage(width, height, 'shared');
  picture.take({ x: 0, y: 0, width, height, data: drawCard(width, height) });
  const encoder = new H264Encoder(picture, 1, QUALITIES.smooth.video, 'shared');
  const request = { sharpness: 1, strain: 0 };
  const area = { x: 0, y: 0, width, height };
  return {
    first: () => encoder.encode(picture, { ...request, keyFrame: true, area }).data,
    again: () => encoder.encode(picture, { ...request, keyFrame: false, area: { ...area, height: 2 } }).data,
    close: () => {
      encoder.close();
      picture.close();
    },
  };
}

/** Draws the card. Returns 4 bytes for each pixel. */
export function drawCard(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height * BYTES_PER_PIXEL, BACKGROUND);
  const columns = Math.max(...TEXT.map((line) => line.length)) * LETTER_WIDTH;
  const scale = Math.max(1, Math.floor((width * TEXT_SHARE) / columns));
  const lineHeight = LETTER_HEIGHT * scale * 2;
  const top = Math.floor((height - TEXT.length * lineHeight) / 2);
  for (const [line, text] of TEXT.entries()) {
    const left = Math.floor((width - text.length * LETTER_WIDTH * scale) / 2);
    for (const [row, dots] of letterRows(text).entries())
      for (const [column, dot] of [...dots].entries())
        if (dot === '#')
          fill(pixels, width, left + column * scale, top + line * lineHeight + row * scale, scale);
  }
  return pixels;
}

/** Fills a square. Ignores parts outside the picture. */
function fill(pixels: Buffer, width: number, x: number, y: number, side: number): void {
  for (let row = Math.max(0, y); row < y + side; row++) {
    const start = (row * width + Math.max(0, x)) * BYTES_PER_PIXEL;
    const end = (row * width + Math.min(width, x + side)) * BYTES_PER_PIXEL;
    if (end > start && start < pixels.length) pixels.fill(FOREGROUND, start, end);
  }
}
