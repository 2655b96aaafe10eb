import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { guardPage } from '../../../../server/src/host/browser/pages/guard/page-guard.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { settle } from '../../../fakes/passing-time.js';

type Listener = (event: object) => void;

/** Runs the script that the host adds to a page. Returns functions that follow links in the page. */
async function guarded() {
  const browser = new FakeBrowser(false);
  guardPage(browser.cdp.browser, false, () => undefined);
  await settle();
  const paramsOf = (name: string) => browser.commands.find(({ method }) => method === name)?.params ?? {};
  const listeners = new Map<string, Listener>();
  const addEventListener = (type: string, listener: Listener) => void listeners.set(type, listener);
  const user = { isActive: false };
  const counts = { prevented: 0, reported: 0 };
  const page = createContext({
    ...{ navigation: { addEventListener }, addEventListener, navigator: { userActivation: user } },
    performance: { now: () => counts.reported * 10_000 },
    [String(paramsOf('Runtime.addBinding')['name'])]: () => void (counts.reported += 1),
  });
  runInContext(String(paramsOf('Page.addScriptToEvaluateOnNewDocument')['source']), page);
  const preventDefault = () => void (counts.prevented += 1);
  return {
    ...{ counts, user },
    navigate: (url: string, userInitiated = false) =>
      listeners.get('navigate')?.({ destination: { url }, userInitiated, preventDefault }),
    click: (href: string, target: string) =>
      listeners.get('click')?.({
        composedPath: () => [{ localName: 'a', protocol: 'x:', href, target }],
        ...{ isTrusted: true, defaultPrevented: false, preventDefault },
      }),
  };
}

describe('a link that would start a program', () => {
  it('opens nothing, and is reported if a user has followed it', async () => {
    const { counts, user, navigate } = await guarded();
    navigate('mailto:a@b.c');
    assert.deepEqual(counts, { prevented: 1, reported: 0 });
    navigate('mailto:a@b.c', true);
    assert.deepEqual(counts, { prevented: 2, reported: 1 });
    user.isActive = true;
    navigate('tel:123');
    assert.deepEqual(counts, { prevented: 3, reported: 2 });
  });

  it('opens nothing in a new tab either', async () => {
    const { counts, click } = await guarded();
    click('mailto:a@b.c', '_blank');
    assert.deepEqual(counts, { prevented: 1, reported: 1 });
    click('https://example.com/', '_blank');
    assert.deepEqual(counts, { prevented: 1, reported: 1 });
  });
});

it('addresses of files open nothing, and are not reported as programs', async () => {
  const { counts, navigate } = await guarded();
  navigate('file:///etc/passwd', true);
  assert.deepEqual(counts, { prevented: 1, reported: 0 });
});
