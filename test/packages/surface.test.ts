import { it } from 'node:test';
import { node } from './support.js';

it('what is public is as the reports, the manifest and the editor data say', async () => {
  await node(['packaging/update.mjs', '--check']);
});
