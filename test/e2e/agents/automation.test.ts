import assert from 'node:assert/strict';
import { chromium } from '@playwright/test';
import { startAgentSite } from '../support/agent-site.js';
import { playwrightSteps } from '../support/agent-steps.js';
import { LAUNCH_OPTIONS } from '../support/launch-options.js';
import { cleanUpAtEnd, test } from '../support/test.js';

cleanUpAtEnd();

// Proves: automation
test('a session that programs drive gives a script of Playwright the same results as a local browser @main', async ({
  service,
}) => {
  const url = await startAgentSite();
  const roles = ['control', 'chrome_apis', 'file_upload', 'file_download'];
  const session = await service.create({ start_url: 'about:blank', automation: { roles } });
  const browser = await chromium.connectOverCDP(session.cdp_url ?? '');
  const [context = assert.fail('There is no context.')] = browser.contexts();
  const remote = await playwrightSteps(context, url);
  await browser.close();
  const own = await chromium.launch(LAUNCH_OPTIONS);
  const local = await playwrightSteps(await own.newContext(), url);
  await own.close();
  // A session refuses files of the machine, which a local browser opens.
  const expected = local.map((value) => (value === 'opened' ? 'refused' : value));
  assert.deepEqual(remote, expected);
});
