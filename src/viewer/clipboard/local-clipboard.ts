import { UnsupportedError, type ClipboardContent } from '../../core/index.js';
import type { PastedContent } from '../../input/index.js';
import type { ClipboardType } from '../../protocol/index.js';

/** Answer of the browser about a permission. Empty before the first answer. */
interface Answer {
  status?: PermissionStatus;
}

/**
 * Answer for all viewers of the page. Chromium keeps each object of a permission until the page ends, so a
 * request of each viewer would use more and more memory.
 */
let shared: Answer | undefined;

/**
 * Tracks the browser's `clipboard-read` permission. `unknown` before the first answer and in browsers without
 * this permission.
 */
export class ReadPermission {
  readonly #answer = (shared ??= ask());

  get state(): PermissionState | 'unknown' {
    return this.#answer.status?.state ?? 'unknown';
  }
}

function ask(): Answer {
  const answer: Answer = {};
  const { permissions } = navigator as { permissions?: Permissions };
  permissions?.query({ name: 'clipboard-read' as PermissionName }).then(
    (status) => (answer.status = status),
    () => undefined,
  );
  return answer;
}

/**
 * Returns the content of the local clipboard. Call it in a click or key handler. Browsers may ask the user.
 * Rejects with `NotAllowedError` if the user refuses, and with {@link UnsupportedError} if pages cannot read
 * the clipboard.
 */
export async function readLocal(): Promise<PastedContent> {
  // Undefined on pages without https, although the type says otherwise.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard?.read)
    throw new UnsupportedError('This browser does not let pages read its clipboard. Press Control+V.');
  const content: PastedContent = {};
  for (const item of await clipboard.read()) {
    for (const type of item.types) {
      if (type === 'text/plain') content.text ??= await (await item.getType(type)).text();
      if (type === 'text/html') content.html ??= await (await item.getType(type)).text();
      if (type === 'image/png') content.png ??= await item.getType(type);
    }
  }
  return content;
}

/** Converts an image to PNG. Resolves to undefined if this browser cannot decode it. */
export async function asPng(image: Blob): Promise<Blob | undefined> {
  try {
    const bitmap = await createImageBitmap(image);
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
    return await new Promise((resolve) => canvas.toBlob((png) => resolve(png ?? undefined), 'image/png'));
  } catch {
    return undefined;
  }
}

/**
 * Starts to write the local clipboard although the content has not arrived yet. Call it during a user
 * gesture. The write may finish later. Rejects if the browser needs another gesture or cannot write.
 */
export async function writeLocal(
  types: readonly ClipboardType[],
  content: Promise<ClipboardContent>,
): Promise<void> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  // Writes only during a user gesture, because otherwise some browsers ask the user.
  const { userActivation } = navigator as { userActivation?: UserActivation };
  if (!clipboard?.write || typeof ClipboardItem === 'undefined' || userActivation?.isActive === false)
    throw new DOMException('The clipboard cannot be written now.', 'NotAllowedError');
  const kept = types.filter(
    (type) => (ClipboardItem.supports as typeof ClipboardItem.supports | undefined)?.(type) ?? true,
  );
  const blobs = kept.map((type) => [type, content.then((all) => blobOf(all, type))] as const);
  // Prevents unhandled rejections if the browser refuses the write immediately.
  for (const [, blob] of blobs) blob.catch(() => undefined);
  await clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
}

/**
 * Writes text and HTML with the older API. During a user gesture it also works on pages without https, and in
 * frames without the clipboard permission. Returns false if nothing was written. The page keeps its focus and
 * selection.
 */
export function writeTextsLocally({ text, html }: ClipboardContent): boolean {
  if (text === undefined && html === undefined) return false;
  let written = false;
  const enable = (event: Event) => event.preventDefault();
  const write = (event: ClipboardEvent) => {
    event.preventDefault();
    // Stops the event, so that other listeners do not handle it as a copy by the page.
    event.stopImmediatePropagation();
    if (text !== undefined) event.clipboardData?.setData('text/plain', text);
    if (html !== undefined) event.clipboardData?.setData('text/html', html);
    written = true;
  };
  window.addEventListener('beforecopy', enable, true);
  window.addEventListener('copy', write, true);
  try {
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    return document.execCommand('copy') && written;
  } catch {
    return false;
  } finally {
    window.removeEventListener('beforecopy', enable, true);
    window.removeEventListener('copy', write, true);
  }
}

function blobOf({ text, html, png }: ClipboardContent, type: ClipboardType): Blob {
  const content = { 'text/plain': text, 'text/html': html, 'image/png': png }[type];
  if (content === undefined) throw new DOMException('Something else was copied meanwhile.', 'DataError');
  return new Blob([content as BlobPart], { type });
}
