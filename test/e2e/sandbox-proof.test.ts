import assert from 'node:assert/strict';
import { startWithBrowser, STAGE } from './support/hostile-machine.js';
import { cleanUpAtEnd, test } from './support/test.js';
import { until } from './support/until.js';

cleanUpAtEnd();
test.describe.configure({ retries: 0 });
test.skip(process.getuid?.() !== 0, 'needs mounts of its own, which only root can make');

/** A browser is given 20 seconds to confine its pages, and starts slowly on a busy machine. */
const GIVEN_UP_MS = 90_000;
const REAL = `${STAGE}/chromium/chromium`;
/** The part of a script that is for the browser which the service examines at its start, not for those of sessions. */
const AT_START = `case " $* " in *' --headless=new '*)`;

test.describe('a service', () => {
  test('does not start where Chromium would not confine pages', async () => {
    const server = await startWithBrowser(`exec ${REAL} --no-sandbox "$@"`);
    const { code, logTail } = await server.exited;
    assert.equal(code, 1);
    assert.match(logTail, /A renderer .*Hosted pages would not be confined/);
    assert.doesNotMatch(logTail, /is ready/);
  });

  test('does not start where Chromium only hides pages from other processes', async () => {
    const server = await startWithBrowser(`exec ${REAL} --disable-seccomp-filter-sandbox "$@"`);
    const { code, logTail } = await server.exited;
    assert.equal(code, 1);
    assert.match(logTail, /A renderer has no seccomp filter of its own/);
  });

  test('does not start where Chromium refuses to run', async () => {
    const server = await startWithBrowser('exit 1');
    const { code, logTail } = await server.exited;
    assert.equal(code, 1);
    assert.match(logTail, /Chromium does not start in its sandbox.*Allow unprivileged user namespaces/s);
  });

  test('shows nobody a session whose pages are not confined', async () => {
    const server = await startWithBrowser(
      `${AT_START} exec ${REAL} "$@";; esac; exec ${REAL} --no-sandbox "$@"`,
    );
    const url = await until(
      'the service is ready',
      () => /ready: (http:\/\/[^\s/]+)/.exec(server.logTail)?.[1],
    );
    const response = await fetch(`${url}/v0/vm`, {
      method: 'POST',
      headers: { authorization: 'Bearer end-to-end', 'content-type': 'application/json' },
      body: JSON.stringify({ start_url: 'about:blank' }),
    });
    assert.equal(response.status, 200);
    await until(
      'the session has failed',
      () => /could not start.*A renderer .*would not be confined/.test(server.logTail),
      GIVEN_UP_MS,
    );
    assert.doesNotMatch(server.logTail, /session shows its page/);
  });
});
