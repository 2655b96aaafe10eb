/**
 * Watches a session until this process is ended: `second-viewer-process.ts EMBED_URL`. Writes a line to
 * descriptor 3 when the first frame has arrived.
 */
import { writeFileSync } from 'node:fs';
import { RawViewer } from '../../e2e/support/raw-viewer.js';

const viewer = await RawViewer.open({ embed_url: process.argv[2] ?? '' });
viewer.onPacket = () => {
  viewer.onPacket = undefined;
  writeFileSync(3, 'frame\n');
};
