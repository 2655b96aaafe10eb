import { Hands } from '../support/hands.js';
import { descendants, XORG } from '../support/processes.js';
import { connectClient } from '../support/sdk-client.js';
import { cleanUpAtEnd, test } from '../support/test.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };

test('two clicks that the display receives together are a double click', async ({ show, service }) => {
  const { remote: page, session } = await show('pointer', SIZE);
  const client = await connectClient(session);
  const hands = new Hands(client);
  await page.fills(SIZE);
  const displays = descendants(service.pid).filter(({ command }) => XORG.test(command));
  // A busy machine may not run the display for a moment. Its events then have the same time.
  for (const { pid } of displays) process.kill(pid, 'SIGSTOP');
  try {
    hands.click(520, 240);
    hands.click(520, 240);
    // The host has handled both clicks when it answers.
    await client.ping();
  } finally {
    for (const { pid } of displays) process.kill(pid, 'SIGCONT');
  }
  await page.event('dblclick 0');
});
