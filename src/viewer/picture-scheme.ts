/** How a picture comes into a style: by an address that `URL.createObjectURL` gives, or as a data URL. */
export type PictureScheme = 'blob' | 'data';

/** A PNG of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let found: Promise<PictureScheme | undefined> | undefined;

/**
 * What the page's Content-Security-Policy lets through; undefined: neither. A policy can only be asked by trying, and what it stops
 * is an error in the page's console: so it is asked once in a page, and first for what the tightest policies allow.
 */
export function allowedScheme(): Promise<PictureScheme | undefined> {
  found ??= findScheme();
  return found;
}

async function findScheme(): Promise<PictureScheme | undefined> {
  const blob = URL.createObjectURL(pngOf(PIXEL));
  try {
    if (await loads(blob)) return 'blob';
  } finally {
    URL.revokeObjectURL(blob);
  }
  return (await loads(`data:image/png;base64,${PIXEL}`)) ? 'data' : undefined;
}

function loads(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const image = new Image();
    image.addEventListener('load', () => resolve(true));
    image.addEventListener('error', () => resolve(false));
    image.src = address;
  });
}

/** A PNG from its bytes in base64, which must be right. */
export function pngOf(base64: string): Blob {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: 'image/png' });
}
