import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ClickedElements } from '../../../../server/src/host/browser/pages/clicked-elements.js';
import { Pages } from '../../../../server/src/host/browser/pages/pages.js';
import { FakeBrowser, type Command } from '../../../fakes/fake-browser.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

let time: PassingTime;
let browser: FakeBrowser;
let elements: ClickedElements;
beforeEach(async () => {
  time = new PassingTime();
  browser = new FakeBrowser();
  const setup = { emulation: undefined, pinch: false, kiosk: false, maxPages: 5 };
  const pages = await Pages.follow(browser.cdp, setup);
  elements = new ClickedElements(pages, { isMaskedAt: () => Promise.resolve(false) });
});
afterEach(() => {
  browser.cdp.close();
  time.restore();
});

// The test runner fails a test during which a promise rejects without a handler.
describe('a clicked element in a session with masked fields', () => {
  beforeEach(() => {
    browser.silent = ({ method }) => method === 'Runtime.evaluate';
  });

  it('is not named if its page does not answer', async () => {
    const named = elements.elementAt({ x: 1, y: 1 }, 'target-front');
    await time.pass(1_000);
    assert.equal(await named, undefined);
  });

  it('is not named if its page crashes', async () => {
    const named = elements.elementAt({ x: 1, y: 1 }, 'target-front');
    await settle();
    browser.tell('Inspector.targetCrashed', {}, 'front');
    await settle();
    assert.equal(await named, undefined);
  });
});

describe('a clicked element inside a frame', () => {
  const isQuestion = ({ params }: Command) => 'contextId' in params && 'returnByValue' in params;
  const isObject = ({ method, params }: Command) => method === 'Runtime.evaluate' && 'objectGroup' in params;
  const groupOf = ({ params }: Command) => params['objectGroup'];
  const released = () => browser.commands.filter(({ method }) => method === 'Runtime.releaseObjectGroup');

  /** Answers that the element is inside a frame. */
  function answer({ id, sessionId }: Partial<Command>): void {
    browser.say(JSON.stringify({ id, sessionId, result: { result: { value: { inside: [1, 1] } } } }));
  }

  it('leaves no object in the page if the frame cannot be found', async () => {
    browser.silent = isQuestion;
    browser.refuse = ({ method }) => method === 'DOM.describeNode';
    const named = elements.elementAt({ x: 1, y: 1 }, 'target-front');
    await settle();
    answer(browser.commands.find(isQuestion) ?? {});
    assert.equal(await named, undefined);
    await settle();
    const [group] = browser.commands.filter(isObject).map(groupOf);
    assert.ok(group);
    assert.deepEqual(
      released().map(({ params }) => params),
      [{ objectGroup: group }],
    );
  });

  it('keeps its object while another lookup in the same page ends', async () => {
    browser.silent = isQuestion;
    browser.refuse = ({ method }) => method === 'DOM.describeNode';
    const named = [1, 2].map((x) => elements.elementAt({ x, y: 1 }, 'target-front'));
    await settle();
    for (const question of browser.commands.filter(isQuestion)) answer(question);
    await Promise.all(named);
    await settle();
    const groups = browser.commands.filter(isObject).map(groupOf);
    assert.equal(new Set(groups).size, 2);
    assert.deepEqual(released().map(groupOf).toSorted(), groups.toSorted());
  });
});
