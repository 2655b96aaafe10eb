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
  const listeners: [type: string, listener: Listener][] = [];
  const addEventListener = (type: string, listener: Listener) => void listeners.push([type, listener]);
  const dispatch = (type: string, event: object) => {
    for (const [heard, listener] of listeners) if (heard === type) listener(event);
  };
  const later: (() => void)[] = [];
  const user = { isActive: false };
  const counts = { prevented: 0, reported: 0 };
  const page = createContext({
    ...{ navigation: { addEventListener }, addEventListener, navigator: { userActivation: user } },
    setTimeout: (act: () => void) => later.push(act),
    performance: { now: () => counts.reported * 10_000 },
    [String(paramsOf('Runtime.addBinding')['name'])]: () => void (counts.reported += 1),
  });
  runInContext(String(paramsOf('Page.addScriptToEvaluateOnNewDocument')['source']), page);
  const preventDefault = () => void (counts.prevented += 1);
  return {
    ...{ counts, user },
    navigate: (url: string, userInitiated = false) =>
      dispatch('navigate', { destination: { url }, userInitiated, preventDefault }),
    click: (href: string, target: string) =>
      dispatch('click', {
        composedPath: () => [{ localName: 'a', protocol: 'x:', href, target }],
        ...{ isTrusted: true, defaultPrevented: false, preventDefault },
      }),
    /** Clicks a field. Returns the number of pickers that this opens. */
    press: (field: object, event: object = {}) => {
      let pickers = 0;
      const showPicker = () => (pickers += 1);
      const composedPath = () => [{ localName: 'input', ...field, showPicker }];
      const tap = { isTrusted: true, pointerType: 'touch', defaultPrevented: false, composedPath };
      dispatch('click', { ...tap, ...event });
      for (const act of later.splice(0)) act();
      return pickers;
    },
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

describe('a tap on a field for a date or a time', () => {
  it('opens the picker of the field, as on a phone', async () => {
    const { press } = await guarded();
    for (const type of ['date', 'time', 'month', 'week', 'datetime-local'])
      assert.equal(press({ type }), 1, type);
    for (const type of ['text', 'checkbox', 'color', 'file']) assert.equal(press({ type }), 0, type);
    assert.equal(press({ localName: 'x-input', type: 'date' }), 0);
  });

  it('opens the picker of the field to which a tapped label belongs', async () => {
    const { press } = await guarded();
    let pickers = 0;
    const control = { localName: 'input', type: 'date', showPicker: () => (pickers += 1) };
    const label = { localName: 'label', control };
    const inLabel = (...parts: object[]) => press({}, { composedPath: () => [...parts, label, {}] });
    inLabel();
    inLabel({ localName: 'b', matches: () => false });
    assert.equal(pickers, 2);
    inLabel({ localName: 'b', matches: () => false }, { localName: 'a', matches: () => true });
    inLabel({ localName: 'input', type: 'checkbox' });
    assert.equal(pickers, 2);
  });

  it('opens nothing if it is a click of a mouse or of the page, or if the page prevents it', async () => {
    const { press } = await guarded();
    assert.equal(press({ type: 'date' }, { pointerType: 'mouse' }), 0);
    assert.equal(press({ type: 'date' }, { isTrusted: false }), 0);
    assert.equal(press({ type: 'date' }, { defaultPrevented: true }), 0);
  });

  it('fails silently if the browser opens no picker, as in a field that nobody can change', async () => {
    const { press } = await guarded();
    const fails = () => {
      throw new Error('The field is read-only.');
    };
    const composedPath = () => [{ localName: 'input', type: 'date', showPicker: fails }];
    assert.equal(press({}, { composedPath }), 0);
  });
});
