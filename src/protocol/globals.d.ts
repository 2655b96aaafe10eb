/** Declarations of two globals that browsers and Node share and the ECMAScript library lacks. */
declare class TextEncoder {
  encode(text: string): Uint8Array;
}
declare class TextDecoder {
  constructor(label: 'utf-8', options: { fatal: boolean });
  decode(bytes: Uint8Array): string;
}
