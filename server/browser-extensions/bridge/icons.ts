/** Width and height of an icon in pixels. Twice the size in a tab, for screens with a high density. */
const SIZE = 32;

/**
 * Returns the icons of pages as `data:` addresses of PNG images that Chrome has drawn. Chrome reads them from
 * its own store, without a request to the pages' servers. An icon is an empty text if Chrome does not return
 * it.
 */
export function iconsOf(addresses: readonly string[]): Promise<string[]> {
  return Promise.all(addresses.map((address) => iconOf(address).catch(() => '')));
}

async function iconOf(address: string): Promise<string> {
  const url = new URL(chrome.runtime.getURL('/_favicon/'));
  url.search = String(new URLSearchParams({ pageUrl: address, size: String(SIZE) }));
  const response = await fetch(url);
  if (!response.ok) return '';
  const bytes = new Uint8Array(await response.arrayBuffer());
  return `data:image/png;base64,${btoa(String.fromCharCode(...bytes))}`;
}
