import assert from 'node:assert/strict';
import { readlinkSync } from 'node:fs';
import type { ManagedProcess } from '../../../server/src/platform/process/child-process.js';
import { startWithBrowser, STAGE } from '../support/hostile-machine.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
test.describe.configure({ retries: 0 });
test.skip(process.getuid?.() !== 0, 'needs mounts of its own, which only root can make');

/** A browser is given 20 seconds to confine its pages, and starts slowly on a busy machine. */
const GIVEN_UP_MS = 90_000;
const REAL = `${STAGE}/chromium/chromium`;
/**
 * The part of a script that runs only for the browser that the service checks at its start, not for sessions.
 */
const AT_START = `case " $* " in *' --headless=new '*)`;

/** The network namespace of this machine, as a link of `/proc` names it. */
const MACHINE_NETWORK = readlinkSync('/proc/self/ns/net');

/**
 * Replacements for Chromium, by name. Each service waits for pages to be confined, so all services wait at
 * the same time.
 */
const BROWSERS = {
  unconfined: `exec ${REAL} --no-sandbox "$@"`,
  unfiltered: `exec ${REAL} --disable-seccomp-filter-sandbox "$@"`,
  refusing: 'exit 1',
  // The browser does not run in the network of this machine, neither at the start of the service nor for a
  // session.
  unconnected: `[ "$(${STAGE}/bin/readlink /proc/self/ns/net)" != '${MACHINE_NETWORK}' ] || exit 1; exec ${REAL} "$@"`,
  // The browser that the service checks at its start is correct. The browsers of sessions are not.
  changing: `${AT_START} exec ${REAL} "$@";; esac; exec ${REAL} --no-sandbox "$@"`,
};
const services = new Map<string, ManagedProcess>();

test.beforeAll(async () => {
  for (const [name, script] of Object.entries(BROWSERS)) services.set(name, await startWithBrowser(script));
});

function serviceWith(name: keyof typeof BROWSERS): ManagedProcess {
  const service = services.get(name);
  assert.ok(service);
  return service;
}

test.describe('a service', () => {
  test('does not start if Chromium does not confine pages', async () => {
    const server = serviceWith('unconfined');
    const { code, logTail } = await server.exited;
    assert.equal(code, 1);
    assert.match(logTail, /A renderer .*Hosted pages would not be confined/);
    assert.doesNotMatch(logTail, /is ready/);
  });

  test('does not start if Chromium only hides pages from other processes', async () => {
    const server = serviceWith('unfiltered');
    const { code, logTail } = await server.exited;
    assert.equal(code, 1);
    assert.match(logTail, /A renderer has no seccomp filter of its own/);
  });

  test('does not start if Chromium refuses to run', async () => {
    const server = serviceWith('refusing');
    const { code, logTail } = await server.exited;
    assert.equal(code, 1);
    assert.match(logTail, /Chromium does not start in its sandbox.*Allow unprivileged user namespaces/s);
  });

  test('starts no browser in the network of the machine', async () => {
    const server = serviceWith('unconnected');
    await Promise.race([
      until('the service is ready', () => server.logTail.includes('cloud-browser is ready'), GIVEN_UP_MS),
      server.endsEarly(),
    ]);
  });

  test('shows no session whose pages are not confined', async () => {
    const server = serviceWith('changing');
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
