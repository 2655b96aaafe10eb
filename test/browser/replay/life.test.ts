import '../../../src/replay/define.js';
import type { CloudBrowserReplayElement } from '../../../src/replay/cloud-browser-replay.js';
import { equal, ok } from '../support/assert.js';
import { FakeRecording } from './fake-recording.js';

let recording: FakeRecording;
let element: CloudBrowserReplayElement;
beforeEach(() => {
  recording = new FakeRecording();
  element = document.createElement('cloud-browser-replay');
  element.muted = true;
});
afterEach(() => {
  element.remove();
  recording.restore();
});

const ready = () =>
  new Promise<void>((resolve) =>
    element.addEventListener('statechange', ({ state }) => state === 'ready' && resolve()),
  );

describe('<cloud-browser-replay> in a page that changes', () => {
  it('plays when it is loaded if the page has called play() before', async () => {
    element.src = recording.src;
    document.body.append(element);
    await element.play();
    equal([element.state, element.paused], ['ready', false]);
  });

  it('plays if the page sets its address and calls play() at once', async () => {
    document.body.append(element);
    await element.updateComplete;
    element.src = recording.src;
    await element.play();
    equal([element.state, element.paused], ['ready', false]);
  });

  it('accepts property names as attributes, which server rendering writes, and adds no others', async () => {
    const place = document.body.appendChild(document.createElement('div'));
    place.innerHTML = '<cloud-browser-replay skipIdle eventList muted></cloud-browser-replay>';
    const rendered = place.querySelector('cloud-browser-replay');
    ok(rendered);
    await rendered.updateComplete;
    equal([rendered.skipIdle, rendered.eventList, rendered.captions], [true, true, false]);
    equal(rendered.getAttributeNames(), ['skipidle', 'eventlist', 'muted']);
    place.remove();
  });

  it('stays paused if the page has called pause() while it is loaded again', async () => {
    element.autoplay = true;
    element.src = recording.src;
    document.body.append(element);
    await ready();
    equal(element.paused, false);
    const again = ready();
    element.reload();
    element.pause();
    await again;
    equal(element.paused, true);
  });

  it('gives each part of a growing recording its own address, which Chromium’s cache needs', async () => {
    const addresses: (string | undefined)[] = [];
    const load = async (state: string, seconds: number) => {
      Object.assign(recording, { state, seconds });
      const loaded = ready();
      if (element.isConnected) element.reload();
      else {
        element.src = `${recording.src}?token=secret`;
        document.body.append(element);
      }
      await loaded;
      addresses.push(element.video?.src.replace(/^.*video\.mp4/, ''));
    };
    await load('recording', 20.5);
    await load('recording', 30);
    await load('finalizing', 30);
    await load('ready', 30);
    equal(addresses, [
      '?token=secret#recording-20.5',
      '?token=secret#recording-30',
      '?token=secret#finalizing-30',
      '?token=secret',
    ]);
  });

  it('rejects play() if the recording cannot be shown', async () => {
    recording.status = 404;
    element.src = recording.src;
    document.body.append(element);
    const error = await element.play().catch((reason: unknown) => reason);
    ok(error instanceof Error, String(error));
    equal(element.state, 'failed');
  });

  it('keeps the focus while it is loaded again, and after a failure, but leaves it in the page', async () => {
    const focused = () =>
      element.shadowRoot?.activeElement?.getAttribute('part') ?? element.shadowRoot?.activeElement?.className;
    element.src = recording.src;
    document.body.append(element);
    await ready();
    await element.updateComplete;
    element.focus();
    equal(focused(), 'main');
    recording.status = 503;
    const failed = new Promise((resolve) => element.addEventListener('error', resolve, { once: true }));
    element.reload();
    await failed;
    await element.updateComplete;
    equal(focused(), 'retry');
    recording.status = 200;
    const again = ready();
    element.shadowRoot?.querySelector<HTMLElement>('[part=retry]')?.click();
    await again;
    await element.updateComplete;
    equal(focused(), 'main');
    const field = document.body.appendChild(document.createElement('input'));
    const last = ready();
    element.reload();
    field.focus();
    await last;
    await element.updateComplete;
    ok(document.activeElement === field);
    field.remove();
  });

  it('plays on if the page moves it', async () => {
    element.src = recording.src;
    document.body.append(element);
    await ready();
    await element.play();
    const place = document.createElement('section');
    document.body.append(place);
    place.append(element);
    await new Promise((resolve) => setTimeout(resolve));
    equal(element.paused, false);
    place.remove();
    await new Promise((resolve) => setTimeout(resolve));
    equal(element.paused, true);
  });
});
