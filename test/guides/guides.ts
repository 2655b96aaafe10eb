/** A framework that has a guide and, in `examples/apps`, a project that the guide shows. */
export interface Guide {
  /** The folder's name. */
  name: string;
  /** Arguments for Node that run the built project's server, or undefined if it is files alone. */
  server?: readonly string[];
  /** The folder of built files, without a server. */
  files?: string;
  rendersOnServer: boolean;
}

export const GUIDES: readonly Guide[] = [
  { name: 'angular', files: 'dist/browser', rendersOnServer: false },
  { name: 'astro', server: ['dist/server/entry.mjs'], rendersOnServer: true },
  { name: 'next', server: ['node_modules/next/dist/bin/next', 'start'], rendersOnServer: true },
  { name: 'nuxt', server: ['.output/server/index.mjs'], rendersOnServer: true },
  { name: 'sveltekit', server: ['build/index.js'], rendersOnServer: true },
];
