import '../../../src/replay/define.js';
import type { CloudBrowserReplayElement } from '../../../src/replay/cloud-browser-replay.js';
import { equal, ok } from '../support/assert.js';
import { FakeRecording } from './fake-recording.js';

let recording: FakeRecording;
let element: CloudBrowserReplayElement;
beforeEach(async () => {
  recording = new FakeRecording();
  recording.events =
    '{"t":1,"type":"navigation","tab":"1","url":"https://example.com/"}\n{"t":0,"type":"marker","name":"Pay"}';
  element = document.createElement('cloud-browser-replay');
  element.eventList = true;
  element.muted = true;
  const loaded = new Promise((resolve) => element.addEventListener('eventsload', resolve, { once: true }));
  element.src = recording.src;
  document.documentElement.dir = 'rtl';
  document.body.append(element);
  await loaded;
  await element.updateComplete;
});
afterEach(() => {
  element.remove();
  recording.restore();
  document.documentElement.dir = '';
});

const find = (selector: string) => {
  const found = element.shadowRoot?.querySelector(selector);
  if (!found) throw new Error(`There is no ${selector}.`);
  return found;
};
const textIn = (selector: string) => {
  const text = new Range();
  text.selectNodeContents(find(selector));
  return text.getBoundingClientRect();
};

describe('<cloud-browser-replay> in a page from right to left', () => {
  it('shows all texts of an event at the start of their lines', () => {
    const { right } = find('.events li .what').getBoundingClientRect();
    for (const selector of ['.events .what', '.events .detail'])
      ok(Math.abs(textIn(selector).right - right) < 1, `${selector} ${textIn(selector).right} ${right}`);
  });

  it('keeps the buttons in the direction of the timeline', () => {
    const order = ['.main', '[aria-label*="back" i]', '[aria-label*="forward" i]', '.time', '.more'];
    const lefts = order.map((name) => find(`.controls ${name}`).getBoundingClientRect().left);
    equal(
      lefts,
      lefts.toSorted((one, other) => one - other),
    );
    // The thumb is at the start of the recording.
    ok(find('.thumb').getBoundingClientRect().left <= find('.main').getBoundingClientRect().left + 14);
  });
});
