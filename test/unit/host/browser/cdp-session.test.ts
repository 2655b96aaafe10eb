import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { CdpError, type CdpSession } from '../../../../server/src/host/browser/cdp/cdp-session.js';
import { timeoutOf } from '../../../../server/src/host/browser/cdp/timeouts.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

let time: PassingTime;
let browser: FakeBrowser;
let page: CdpSession;
beforeEach(() => {
  time = new PassingTime();
  browser = new FakeBrowser();
  page = browser.cdp.session('page');
});
afterEach(() => time.restore());

/** Returns why a command failed, or that it did not fail. */
const outcomeOf = (command: Promise<unknown>) =>
  command.then(
    () => 'answered',
    (error: unknown) => (error instanceof CdpError ? error.reason : String(error)),
  );
const reload = () => outcomeOf(page.send('Page.reload', {}));
const ask = () => outcomeOf(page.sendUrgent('Runtime.evaluate', { expression: '1' }));

describe('a CDP session', () => {
  it('distinguishes the reasons why a command failed', async () => {
    browser.silent = () => true;
    const refused = reload();
    await settle();
    browser.say(JSON.stringify({ id: browser.commands[0]?.id, error: { message: 'no' } }));
    assert.equal(await refused, 'refused');
    const late = reload();
    await time.pass(timeoutOf('Page.reload'));
    assert.equal(await late, 'timed-out');
    const crashed = reload();
    browser.tell('Inspector.targetCrashed', {}, 'page');
    assert.equal(await crashed, 'crashed');
    const detached = reload();
    browser.tell('Target.detachedFromTarget', { sessionId: 'page' });
    assert.equal(await detached, 'detached');
    assert.equal(await reload(), 'detached');
    const closed = outcomeOf(browser.cdp.browser.send('Target.getTargets', {}));
    browser.cdp.close();
    assert.equal(await closed, 'closed');
    assert.equal(await outcomeOf(browser.cdp.session('another').send('Page.reload', {})), 'closed');
  });

  it('sends a command again that a crashed target had not answered, after the target is loaded again', async () => {
    const commands = () => browser.commands.map(({ method }) => method);
    await page.prepare('Page.enable', {});
    browser.silent = () => true;
    const prepared = page.prepare('Page.setInterceptFileChooserDialog', { enabled: true });
    browser.tell('Inspector.targetCrashed', {}, 'page');
    await prepared;
    browser.commands.length = 0;
    for (const silent of [true, false, false]) {
      browser.silent = () => silent;
      browser.tell('Inspector.targetReloadedAfterCrash', {}, 'page');
      await settle();
      browser.tell('Inspector.targetCrashed', {}, 'page');
      await settle();
    }
    const again = 'Page.setInterceptFileChooserDialog';
    assert.deepEqual(commands(), [again, again]);
    assert.deepEqual(browser.commands[1]?.params, { enabled: true });
  });

  it('sends a command only once if it was refused, or if the target has ended', async () => {
    browser.refuse = () => true;
    await page.prepare('Page.enable', {});
    browser.refuse = () => false;
    browser.silent = () => true;
    const prepared = page.prepare('Page.enable', {});
    browser.tell('Inspector.targetReloadedAfterCrash', {}, 'page');
    await settle();
    browser.tell('Target.detachedFromTarget', { sessionId: 'page' });
    await prepared;
    assert.deepEqual(browser.methods, ['Page.enable', 'Page.enable']);
  });

  it('continues after a message that is too large, and notifies the caller that waits for it', async () => {
    browser.silent = () => true;
    const lost: string[] = [];
    browser.cdp.onEventLost = (event) => void lost.push(event);
    const long = (mebibytes: number) => 'x'.repeat(mebibytes * 1024 * 1024);
    for (const [method, size, outcome] of [
      ['Page.reload', 65, 'too-large'],
      ['Page.reload', 3, 'answered'],
      ['Accessibility.getRootAXNode', 3, 'too-large'],
      ['Accessibility.getRootAXNode', 1, 'answered'],
      ['Page.getNavigationHistory', 3, 'too-large'],
      ['Page.getNavigationHistory', 1, 'answered'],
    ] as const) {
      browser.commands.length = 0;
      const asked = outcomeOf(page.send(method, {}));
      await settle();
      browser.say(`{"id":${browser.commands[0]?.id ?? 0},"result":{"text":"${long(size)}"}}`);
      assert.equal(await asked, outcome, `${method} ${size}`);
    }
    browser.say(`{"method":"Accessibility.nodesUpdated","params":{"nodes":"${long(3)}"}}`);
    browser.silent = () => false;
    assert.equal(await reload(), 'answered');
    assert.deepEqual(lost, ['Accessibility.nodesUpdated']);
  });

  it('accepts only methods, parameters and events of the protocol', () => {
    const mistakes = async () => {
      // @ts-expect-error No such method.
      await page.send('Page.relaod', {});
      // @ts-expect-error A parameter is missing.
      await page.send('Page.navigate', {});
      // @ts-expect-error No such parameter.
      await page.send('Page.reload', { hard: true });
      // @ts-expect-error No such event.
      page.on('Page.loaded', () => undefined);
    };
    assert.equal(typeof mistakes, 'function');
  });

  it('ends when its target is detached', async () => {
    browser.attach('frame', 'iframe', 'page');
    await settle();
    const frame = browser.cdp.session('frame');
    browser.tell('Target.detachedFromTarget', { sessionId: 'page' });
    assert.equal(await frame.ended, 'detached');
  });

  it('survives invalid messages', async () => {
    for (const text of ['', '{', 'null', '[]', '{"id":"1"}', '{"id":1}', '{"method":"Page.x"}'])
      browser.say(text);
    await settle();
    assert.equal(await reload(), 'answered');
    assert.equal(browser.cdp.drops.counts.get('message of the browser'), 7);
  });

  it('waits for an urgent answer once, and again after the page has answered', async () => {
    browser.silent = () => true;
    const first = ask();
    await time.pass(timeoutOf('Runtime.evaluate'));
    assert.equal(await first, 'timed-out');
    // No time passes, so there was no wait.
    assert.equal(await ask(), 'timed-out');
    await settle();
    const [late] = browser.commands;
    assert.ok(late);
    assert.equal(browser.commands.length, 2, 'the page gets the command all the same');
    browser.answer(late);
    await settle();
    browser.silent = () => false;
    assert.equal(await ask(), 'answered');
  });

  it('waits again for a page that answers only newer commands', async () => {
    browser.silent = () => true;
    const lost = ask();
    await time.pass(timeoutOf('Runtime.evaluate'));
    await lost;
    browser.silent = () => false;
    assert.equal(await ask(), 'timed-out');
    await settle();
    assert.equal(await ask(), 'answered');
  });

  it('does not wait for a page with an open dialog, or for the key that opened it', async () => {
    browser.silent = () => true;
    const key = ask();
    const other = reload();
    await settle();
    browser.tell('Page.javascriptDialogOpening', {}, 'page');
    // No time passes.
    assert.equal(await key, 'dialog');
    assert.equal(page.inDialog, true);
    assert.equal(await ask(), 'dialog');
    await settle();
    assert.equal(browser.commands.length, 3, 'the page gets the command all the same');
    browser.silent = () => false;
    for (const [end, opened] of [
      ['Page.javascriptDialogClosed', 'Page.javascriptDialogOpening'],
      ['Inspector.targetCrashed', ''],
    ] as const) {
      browser.tell(end, {}, 'page');
      await settle();
      assert.equal(page.inDialog, false);
      assert.equal(await ask(), 'answered');
      if (opened) browser.tell(opened, {}, 'page');
      await settle();
    }
    assert.equal(await other, 'crashed');
    assert.equal(browser.cdp.drops.counts.size, 0);
  });

  it('delivers an event only to current listeners', async () => {
    const heard: string[] = [];
    const stop = page.on('Page.loadEventFired', () => heard.push('one'));
    page.on('Page.loadEventFired', () => heard.push('other'));
    stop();
    browser.tell('Page.loadEventFired', {}, 'page');
    await settle();
    assert.deepEqual(heard, ['other']);
  });

  it('counts abandoned commands, and logs them ever less often', async () => {
    browser.silent = () => true;
    for (let count = 0; count < 5; count++) page.post('Page.reload', {});
    await time.pass(timeoutOf('Page.reload'));
    assert.equal(browser.cdp.drops.counts.get('Page.reload'), 5);
    assert.ok(browser.drops.every(({ what }) => what === 'Page.reload'));
    const counts = browser.drops.map(({ count }) => count);
    assert.deepEqual(counts, [1, 2, 4]);
  });
});
