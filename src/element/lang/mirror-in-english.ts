/** The English words of the mirror for screen readers, loaded with it. */
export const MIRROR_TEXTS = {
  'mirror.open': 'Read this page with a screen reader',
  'mirror.silent': 'The page does not answer. It is asked again.',
} as const satisfies Record<string, string>;
