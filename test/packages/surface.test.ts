import { it } from 'node:test';
import { node } from './support.js';

it('the public API matches the API reports, the manifest and the editor data', async () => {
  await node(['packaging/update.mjs', '--check']);
});
