import { emulateMedia, setViewport } from '@web/test-runner-commands';
import axe from './axe.js';
import '../../../src/element/define.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { closeCodeOf, encodeSoundPacket, type Download, type Handoff } from '../../../src/protocol/index.js';
import { equal, ok } from '../support/assert.js';
import { connectElement } from '../support/connected-element.js';
import { FakeNetwork } from '../support/fake-web-socket.js';

const DOWNLOADS: readonly Download[] = [
  { id: 'a', name: 'photo.jpg', size: 2e6, received: 2e6, state: 'done', kind: 'download' },
  {
    id: 'b',
    name: `${'long '.repeat(30)}.pdf`,
    size: 5e7,
    received: 2e7,
    state: 'running',
    kind: 'download',
  },
  { id: 'c', name: 'Page.pdf', size: null, received: 8e4, state: 'running', kind: 'print' },
  { ...{ id: 'd', name: 'film.mkv', size: 5e9, received: 1e8 }, state: 'cancelled', kind: 'download' },
];
const HANDOFF: Handoff = {
  ...{ id: 'h1', name: 'Helper', agent: 'agent-1', instructions: '' },
  ...{ requestedAt: '2030-01-01T00:00:00.000Z', expiresAt: '2030-01-01T00:10:00.000Z' },
};
/** Selectors of the parts that can be at the lower edge. */
const PARTS = ['[part=warning]', '[part=quality]', '[part=unmute]', '[part=copy]', '.files', '.keyboard'];

describe('the controls at the lower edge of <cloud-browser>', () => {
  let network: FakeNetwork;
  let element: CloudBrowserElement;
  const Original = AudioContext;

  beforeEach(async () => {
    globalThis.AudioContext = class extends Original {
      override get state() {
        return 'suspended' as const;
      }
    };
    network = new FakeNetwork();
    element = document.createElement('cloud-browser');
    element.keyboardButton = true;
    Object.assign(element.style, { position: 'fixed', inset: '0', aspectRatio: 'auto' });
    await connectElement(network, element);
  });

  afterEach(async () => {
    element.remove();
    network.restore();
    globalThis.AudioContext = Original;
    document.documentElement.removeAttribute('dir');
    await emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
    await setViewport({ width: 800, height: 600 });
  });

  const shadow = (selector: string) => element.shadowRoot?.querySelector<HTMLElement>(selector) ?? undefined;

  /** Ends the animations of the shadow tree, except endless ones such as spinners. */
  function finishAnimations(): void {
    for (const animation of element.shadowRoot?.getAnimations() ?? [])
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  }

  /** Shows all parts at once, as on a phone. */
  async function crowd(): Promise<void> {
    const { last } = network.host;
    const phone = new CSSStyleSheet();
    phone.replaceSync('.keyboard { display: block }');
    element.shadowRoot?.adoptedStyleSheets.push(phone);
    last.send({ type: 'close-warning', kind: 'inactive', delay: 42_000 });
    last.listener.onMessage(
      encodeSoundPacket({ start: true, number: 1, captureTime: 0, payload: new Uint8Array(8) }),
    );
    for (const download of DOWNLOADS)
      last.send({ type: 'event', name: 'files.onDownload', args: [download] });
    element.client?.emit('quality', 'poor');
    const message = 'Copied in the remote browser. One click copies it here.';
    Object.defineProperty(element.viewer?.clipboard, 'state', { value: { state: 'waiting', message } });
    Object.defineProperty(element.client, 'quality', { value: 'poor' });
    element.requestUpdate();
    while (!shadow('.unfold')) await new Promise(requestAnimationFrame);
    shadow('.unfold')?.click();
    await element.updateComplete;
    finishAnimations();
  }

  const boxes = () => PARTS.map((part) => ({ part, box: shadow(part)?.getBoundingClientRect() }));

  for (const [width, height, dir] of [
    [390, 844, 'ltr'],
    [844, 390, 'ltr'],
    [1440, 900, 'ltr'],
    [390, 844, 'rtl'],
    [844, 390, 'rtl'],
    [1440, 900, 'rtl'],
  ] as const) {
    it(`are all visible and do not overlap: ${width}x${height}, ${dir}`, async () => {
      document.documentElement.dir = dir;
      await setViewport({ width, height });
      await crowd();
      const all = boxes();
      for (const { part, box } of all) {
        ok(box && box.width > 0 && box.height > 0, part);
        ok(box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height, part);
      }
      for (const [index, { part, box: one }] of all.entries())
        for (const { part: next, box: other } of all.slice(index + 1)) {
          if (!one || !other) continue;
          const beside = one.right <= other.left || other.right <= one.left;
          ok(beside || one.bottom <= other.top || other.bottom <= one.top, `${part} and ${next}`);
        }
    });
  }

  for (const [width, height] of [
    [320, 568],
    [390, 664],
    [667, 375],
    [844, 390],
  ] as const)
    it(`can all be reached beside a long request of an agent: ${width}x${height}`, async () => {
      await setViewport({ width, height });
      await crowd();
      const { last } = network.host;
      last.send({ type: 'recording', on: true });
      last.send({ type: 'handoffs', open: [{ ...HANDOFF, instructions: 'A long word. '.repeat(150) }] });
      element.notify('A message. '.repeat(12));
      await element.updateComplete;
      finishAnimations();
      for (const part of [
        ...PARTS,
        '[part=recording]',
        '[part=handoff-done]',
        '[part=handoff-refused]',
        '.fold',
      ]) {
        const shown = shadow(part);
        shown?.scrollIntoView({ block: 'nearest' });
        const box = shown?.getBoundingClientRect();
        ok(box && box.width > 0 && box.height > 0, part);
        ok(box.top >= 0 && box.bottom <= height, `${part} ${JSON.stringify(box)}`);
        if (part === '[part=recording]' || part === '[part=quality]') continue;
        const hit = element.shadowRoot?.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        ok(hit?.closest(part), `${part} is covered by ${hit?.className}`);
      }
      ok((shadow('.request')?.clientHeight ?? 0) >= 19);
      ok((shadow('.files')?.clientHeight ?? 0) >= 60);
    });

  for (const [width, height] of [
    [390, 220],
    [390, 600],
    [600, 340],
    [900, 506],
  ] as const)
    it(`do not cover each other when a page starts downloads during a request: ${width}x${height}`, async () => {
      await setViewport({ width, height });
      const { last } = network.host;
      for (const download of DOWNLOADS)
        last.send({ type: 'event', name: 'files.onDownload', args: [download] });
      last.send({ type: 'recording', on: true });
      last.send({ type: 'handoffs', open: [{ ...HANDOFF, instructions: 'A long word. '.repeat(150) }] });
      while (!shadow('.unfold') || !shadow('[part=handoff-done]')) await new Promise(requestAnimationFrame);
      finishAnimations();
      const expectFree = (...parts: string[]) => {
        for (const part of parts) {
          const box = shadow(part)?.getBoundingClientRect();
          ok(box && box.width > 0 && box.top >= 0 && box.bottom <= height, `${part} ${JSON.stringify(box)}`);
          for (const x of [box.left + 4, box.right - 4]) {
            const hit = element.shadowRoot?.elementFromPoint(x, box.y + box.height / 2);
            ok(hit?.closest(part), `${part} is covered by ${hit?.className}`);
          }
        }
      };
      expectFree('.unfold', '.fold', '[part=handoff-done]', '[part=handoff-refused]');
    });

  for (const [width, height] of [
    [390, 664],
    [1280, 720],
  ] as const)
    it(`have a small mark after the message about a recording: ${width}x${height}`, async () => {
      await setViewport({ width, height });
      network.host.last.send({ type: 'recording', on: true });
      await element.updateComplete;
      const mark = shadow('[part=recording]');
      ok(mark);
      equal(shadow('.recording .sentence')?.innerText, 'This session is being recorded');
      ok(mark.clientWidth > 200, `${mark.clientWidth}`);
      finishAnimations();
      ok(mark.clientWidth > 40 && mark.clientWidth < 120, `${mark.clientWidth}`);
      ok(mark.clientHeight < 40, `${mark.clientHeight}`);
      const [dot, short] = [shadow('.recording .dot'), shadow('.recording .short')];
      equal([dot?.clientWidth, getComputedStyle(mark).opacity, short?.innerText], [10, '1', 'Recording']);
      ok((short?.clientWidth ?? 0) > 30, `${short?.clientWidth}`);
      equal([mark.checkVisibility(), shadow('.recording .sentence')?.checkVisibility()], [true, true]);
      equal(short?.ariaHidden, 'true');
    });

  it('have a message above them, which wraps a long address too', async () => {
    await setViewport({ width: 320, height: 568 });
    element.notify(`https://example.com/${'x'.repeat(200)}`);
    await element.updateComplete;
    const status = shadow('[part=status]');
    ok(status && status.scrollWidth <= 320, `${status?.scrollWidth}`);
    const said = `See https://example.com/${'x'.repeat(200)}`;
    network.host.last.close(closeCodeOf('unauthorized'), said);
    while (!status.textContent.includes(said)) await new Promise((resolve) => requestAnimationFrame(resolve));
    ok(status.scrollWidth <= 320, `${status.scrollWidth}`);
  });

  it('stay above a phone’s keyboard that covers the page', async () => {
    await setViewport({ width: 390, height: 844 });
    await crowd();
    element.viewer?.emit('shift', { up: 0, height: undefined, covered: 344 });
    await element.updateComplete;
    for (const { part, box } of boxes()) ok(box && box.bottom <= 500, `${part} ends at ${box?.bottom}`);
  });

  for (const [name, media] of [
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['forced colours', { colorScheme: 'dark', forcedColors: 'active' }],
  ] as const) {
    it(`have no accessibility faults in ${name}`, async () => {
      await emulateMedia(media);
      await crowd();
      equal((await axe.run(element)).violations, []);
      const chooser = { id: 'e', multiple: true, directory: false, accept: '', timeout: 60_000 };
      element.addEventListener('filechooser', () => undefined, { once: true });
      network.host.last.send({ type: 'event', name: 'files.onChooser', args: [chooser] });
      await element.updateComplete;
      equal((await axe.run(element)).violations, []);
      network.host.last.close();
      window.dispatchEvent(new Event('offline'));
      await element.updateComplete;
      equal((await axe.run(element)).violations, []);
      window.dispatchEvent(new Event('online'));
    });
  }
});
