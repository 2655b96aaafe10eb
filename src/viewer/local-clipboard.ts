import { UnsupportedError, type ClipboardContent } from '../core/index.js';
import type { PastedContent } from '../input/index.js';
import type { ClipboardType } from '../protocol/index.js';

/** What a browser says of `clipboard-read`, at every moment: `unknown` before it has answered, and where it does not know the permission. */
export class ReadPermission {
  /** Held, since a browser tells of changes only as long as somebody has it. */
  #status: PermissionStatus | undefined;

  constructor() {
    const { permissions } = navigator as { permissions?: Permissions };
    permissions?.query({ name: 'clipboard-read' as PermissionName }).then(
      (status) => (this.#status = status),
      () => undefined,
    );
  }

  get state(): PermissionState | 'unknown' {
    return this.#status?.state ?? 'unknown';
  }
}

/**
 * What is on the local clipboard. To be called in a gesture; browsers may ask the user. Rejects with `NotAllowedError` when they say no,
 * with {@link UnsupportedError} where a page cannot read it at all.
 */
export async function readLocal(): Promise<PastedContent> {
  // Not on pages that are not served over https, whatever the types say.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard?.read)
    throw new UnsupportedError('This browser lets no page read its clipboard; press Control+V.');
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

/**
 * Puts on the local clipboard what is still on its way. To be called while a gesture counts, which it then may outlive. Rejects where
 * the browser wants another gesture, or cannot do it.
 */
export async function writeLocal(
  types: readonly ClipboardType[],
  content: Promise<ClipboardContent>,
): Promise<void> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  // Asked without a gesture, some browsers would ask the user.
  const { userActivation } = navigator as { userActivation?: UserActivation };
  if (!clipboard?.write || typeof ClipboardItem === 'undefined' || userActivation?.isActive === false)
    throw new DOMException('The clipboard cannot be written now.', 'NotAllowedError');
  const kept = types.filter(
    (type) => (ClipboardItem.supports as typeof ClipboardItem.supports | undefined)?.(type) ?? true,
  );
  const blobs = kept.map((type) => [type, content.then((all) => blobOf(all, type))] as const);
  // A write that is refused at once leaves them alone.
  for (const [, blob] of blobs) blob.catch(() => undefined);
  await clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
}

/**
 * The older way, for texts alone: works on pages without https and in frames that may not use the other, in a gesture. False: it was not
 * done. Neither focus nor selection of the page change.
 */
export function writeTextsLocally({ text, html }: ClipboardContent): boolean {
  if (text === undefined && html === undefined) return false;
  let written = false;
  const enable = (event: Event) => event.preventDefault();
  const write = (event: ClipboardEvent) => {
    event.preventDefault();
    // It is no copy of the page's own.
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
