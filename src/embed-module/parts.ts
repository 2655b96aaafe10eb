/** Maximum time for loading a part. Later the next call loads it again. Milliseconds. */
const LOAD_MS = 30_000;

let service: string | undefined;
const parts = new Map<string, Promise<unknown>>();

/** Sets the address of the service from an embed URL. The module loads its parts from this service. */
export function partsOf(embedUrl: string): void {
  service = embedUrl;
}

/**
 * Loads a part of this module. Imports it from a blob, like the module itself, because the page's content
 * security policy may forbid imports from the service. After a failure the next call loads it again. The
 * build replaces `import()` with this function.
 *
 * @param path path below the service's root
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
  const code = await fetchText(address);
  const blob = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  try {
    return (await import(/* @vite-ignore */ blob)) as unknown;
  } finally {
    URL.revokeObjectURL(blob);
  }
}

/** Fetches a text. Chromium before 103 and Safari before 16 have no `AbortSignal.timeout`. */
async function fetchText(address: URL): Promise<string> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), LOAD_MS);
  try {
    const response = await fetch(address, { signal: limit.signal });
    if (!response.ok) throw new Error(`The service answered ${address.pathname} with ${response.status}.`);
    return await response.text();
  } finally {
    clearTimeout(timer);
  }
}
