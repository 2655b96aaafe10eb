/** English texts of the mirror for screen readers. They load with the mirror. */
export const MIRROR_TEXTS = {
  'mirror.open': 'Read this page with a screen reader',
  'mirror.silent': 'The page does not answer. It is updated here as soon as it answers.',
} as const satisfies Record<string, string>;
