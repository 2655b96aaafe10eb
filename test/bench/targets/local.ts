import type { Target } from './target.js';

/** The page itself in the viewer's Chromium: the limit for everything remote. */
export const local: Target = {
  name: 'local',
  title: 'the page in a local Chromium (the limit)',
  start: (page) =>
    Promise.resolve({ viewerAddress: page, serverProcesses: [], stop: () => Promise.resolve() }),
};
