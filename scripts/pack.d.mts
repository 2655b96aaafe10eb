/** Packs a finished build. Returns the paths of the two tarballs. */
export function pack(): Promise<{ sdk: string; server: string }>;
