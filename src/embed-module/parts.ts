let service: string | undefined;
const parts = new Map<string, Promise<unknown>>();

/** Says by the address of an embed URL from which service this module is; the parts are there too. */
export function partsOf(embedUrl: string): void {
  service = embedUrl;
}

/**
 * Loads a part of this module, as the module itself is loaded: a page whose policy lets it import a blob need not let it import from
 * the service. What could not be loaded is loaded again when it is asked for again. The build puts this in the place of `import()`.
 *
 * @param path below the service's root
 */
export function loadPart(path: string): Promise<unknown> {
  const known = parts.get(path);
  if (known) return known;
  const part = fetchModule(new URL(`/${path}`, service));
  parts.set(path, part);
  part.catch(() => parts.delete(path));
  return part;
}

async function fetchModule(address: URL): Promise<unknown> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname} was answered with ${response.status}.`);
  const blob = URL.createObjectURL(new Blob([await response.text()], { type: 'text/javascript' }));
  try {
    return (await import(/* @vite-ignore */ blob)) as unknown;
  } finally {
    URL.revokeObjectURL(blob);
  }
}
