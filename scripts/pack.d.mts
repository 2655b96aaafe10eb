/** Packs a finished build. Answers the paths of the two tarballs. */
export function pack(): Promise<{ sdk: string; server: string }>;
