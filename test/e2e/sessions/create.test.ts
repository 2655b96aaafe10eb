import assert from 'node:assert/strict';
import { cleanUpAtEnd, test } from '../support/test.js';

cleanUpAtEnd();

// Proves: start_url; width; height
test(
  'creating a session shows the page at its embed URL with exact pixels at an odd size',
  { tag: '@main' },
  async ({ show, watch }) => {
    const size = { width: 1108, height: 831 };
    const { remote, session } = await show('marker', size);
    const viewer = await watch(session, { viewport: size });
    await viewer.shows([20, 120, 220], 10, 10);
    await viewer.shows([220, 60, 30], 1108 - 3, 831 - 3);
    assert.deepEqual(await viewer.size(), size);
    await remote.fills(size);
  },
);
