import { emulateMedia, sendKeys, setViewport } from '@web/test-runner-commands';
import axe from './axe.js';
import type { HandoffEvent } from '../../../src/element/events.js';
import { equal, ok } from '../support/assert.js';
import { sendPacket } from '../support/fake-web-socket.js';
import { GREEN, h264Packets, streamInfo } from '../support/packets.js';
import { answers, appears, ask, element, HANDOFF, network, shadow } from '../support/handoff-bar.js';

const AGENT = { name: 'Helper', color: '#b3261e' };

afterEach(async () => {
  await emulateMedia({ forcedColors: 'none' });
  await setViewport({ width: 800, height: 600 });
});

describe('the request of an agent for a person in <cloud-browser>', () => {
  it('is shown as text with two buttons, and read by screen readers when it appears', async () => {
    const live = await appears('[part=handoff] [role=status]');
    equal(live.textContent.trim(), '');
    await ask({ ...HANDOFF, instructions: '<b>Log in.</b>' });
    ok(shadow('[part=handoff] [role=status]') === live);
    ok(live.textContent.includes('Helper needs your help'));
    ok(live.textContent.includes('<b>Log in.</b>'));
    equal(live.querySelector('button, b'), null);
    equal(shadow('[part=handoff-done]')?.textContent.trim(), 'Done');
    equal(shadow('[part=handoff-refused]')?.textContent.trim(), 'I can’t');
  });

  it('shows a name and a text without characters that turn their direction', async () => {
    await ask({ ...HANDOFF, name: '\u202eHelper\u2067', instructions: 'Log in.\n\u202e.tuo goL\u202c' });
    const live = shadow('[part=handoff] [role=status]');
    equal(live?.querySelector('strong')?.textContent, 'Helper needs your help');
    equal(live?.querySelector('p')?.textContent, 'Log in.\n.tuo goL');
    equal(shadow('.answers')?.ariaLabel, 'Helper needs your help');
    await ask({ ...HANDOFF, name: '\u202e' });
    equal(live?.querySelector('strong')?.textContent, 'A program needs your help');
  });

  it('is answered by a click, and by the keyboard', async () => {
    await ask(HANDOFF);
    shadow('[part=handoff-refused]')?.click();
    shadow('[part=handoff-done]')?.focus();
    await sendKeys({ press: 'Enter' });
    equal(answers(), [
      ['h1', 'refused', ''],
      ['h1', 'done', ''],
    ]);
    await ask();
    equal(shadow('[part=handoff-done]'), undefined);
  });

  it('sends the note that the user has added, and begins the next one empty', async () => {
    await ask(HANDOFF);
    const add = shadow('[part=handoff-add-note]');
    equal(add?.textContent.trim(), 'Add a note');
    // The keyboard reaches the field by the button that opens it.
    shadow('[part=handoff-refused]')?.focus();
    await sendKeys({ press: 'Tab' });
    ok(element.shadowRoot?.activeElement === add);
    await sendKeys({ press: 'Enter' });
    ok(element.shadowRoot?.activeElement === shadow('[part=handoff-note]'));
    await sendKeys({ type: 'The code was 1234. ' });
    const keys = network.host.last.inputs.filter(({ type }) => type === 'key' || type === 'text');
    equal(keys, []);
    shadow('[part=handoff-done]')?.click();
    equal(answers(), [['h1', 'done', 'The code was 1234.']]);
    await ask({ ...HANDOFF, id: 'h2' });
    shadow('[part=handoff-refused]')?.click();
    equal(answers().at(-1), ['h2', 'refused', '']);
  });

  it('has a button that opens the field of the note, focuses it, and closes it', async () => {
    await ask(HANDOFF);
    const add = shadow('[part=handoff-add-note]');
    const note = shadow('[part=handoff-note]');
    add?.click();
    equal([note?.checkVisibility(), element.shadowRoot?.activeElement === note], [true, true]);
    add?.click();
    equal(note?.checkVisibility(), false);
  });

  it('keeps the keys of the note from the shortcuts of the page', async () => {
    await ask(HANDOFF);
    shadow('[part=handoff-add-note]')?.click();
    shadow('[part=handoff-note]')?.focus();
    const seen: string[] = [];
    const watch = ({ type }: Event) => void seen.push(type);
    for (const type of ['keydown', 'keyup']) document.addEventListener(type, watch);
    await sendKeys({ press: 'n' });
    for (const type of ['keydown', 'keyup']) document.removeEventListener(type, watch);
    equal(seen, []);
  });

  it('has a note that does not capture Tab, unlike the surface, which the same user reaches next', async () => {
    await ask(HANDOFF);
    shadow('[part=handoff-add-note]')?.click();
    await sendKeys({ press: 'Tab' });
    shadow('[part=handoff-note]')?.focus();
    await element.updateComplete;
    equal(shadow('[part=way-out]'), undefined);
    shadow('.surface textarea')?.focus();
    await element.updateComplete;
    ok(shadow('[part=way-out]'));
  });

  it('has buttons that stay in place when the hint for keyboard users ends', async () => {
    await ask(HANDOFF);
    await sendKeys({ press: 'Tab' });
    shadow('.surface textarea')?.focus();
    await element.updateComplete;
    ok(shadow('[part=way-out]'));
    const top = () => shadow('[part=handoff-done]')?.getBoundingClientRect().top;
    const before = top();
    shadow('[part=handoff-done]')?.focus();
    await element.updateComplete;
    equal(shadow('[part=way-out]'), undefined);
    equal(top(), before);
  });

  it('shows the oldest of several requests', async () => {
    await ask(HANDOFF, { ...HANDOFF, id: 'h2', name: 'Other' });
    ok(shadow('[part=handoff]')?.textContent.includes('Helper'));
    await ask({ ...HANDOFF, id: 'h2', name: 'Other' });
    ok(shadow('[part=handoff]')?.textContent.includes('Other'));
  });

  it('says that another user was faster', async () => {
    await ask(HANDOFF);
    shadow('[part=handoff-done]')?.click();
    const id = network.host.last.of('call').find(({ method }) => method === 'finishHandoff')?.id ?? 0;
    const error = { code: 'err_handoff_gone', message: 'Another user has answered already.' } as const;
    network.host.last.send({ type: 'answer', id, error });
    while (!shadow('[part~=status]')?.textContent.includes('answered already'))
      await new Promise((resolve) => requestAnimationFrame(resolve));
  });

  it('is an event that the page can handle instead', async () => {
    const seen: string[] = [];
    element.addEventListener('handoff', (event: HandoffEvent) => {
      seen.push(...event.handoffs.map(({ id }) => id));
      event.preventDefault();
    });
    await ask(HANDOFF);
    equal(seen, ['h1']);
    equal(shadow('[part=handoff-done]'), undefined);
  });

  it('is hidden from a viewer that only watches', async () => {
    element.viewOnly = true;
    await ask(HANDOFF);
    equal(shadow('[part=handoff-done]'), undefined);
  });

  it('is hidden while the page has set only the viewer to view-only', async () => {
    await ask(HANDOFF);
    ok(element.viewer);
    element.viewer.viewOnly = true;
    await element.updateComplete;
    equal(shadow('[part=handoff-done]'), undefined);
    element.viewer.viewOnly = false;
    await element.updateComplete;
    ok(shadow('[part=handoff-done]'));
  });

  it('is in German on a German page', async () => {
    document.documentElement.lang = 'de';
    await ask({ ...HANDOFF, name: '' });
    while (shadow('[part=handoff-done]')?.textContent.trim() !== 'Erledigt')
      await new Promise((resolve) => requestAnimationFrame(resolve));
    ok(shadow('[part=handoff]')?.textContent.includes('Ein Programm braucht Hilfe'));
    equal(shadow('[part=handoff-refused]')?.textContent.trim(), 'Geht nicht');
  });

  for (const [width, height] of [
    [320, 480],
    [390, 844],
    [844, 390],
    [1280, 720],
  ] as const)
    it(`stays inside a picture of ${width} × ${height}, with long instructions too`, async () => {
      await setViewport({ width, height });
      await ask({ ...HANDOFF, name: 'x'.repeat(64), instructions: 'A long word. '.repeat(150) });
      const outer = element.getBoundingClientRect();
      shadow('[part=handoff-add-note]')?.click();
      await element.updateComplete;
      for (const part of ['handoff', 'handoff-done', 'handoff-refused', 'handoff-note']) {
        const box = shadow(`[part=${part}]`)?.getBoundingClientRect();
        ok(box && box.width > 0 && box.height > 0);
        ok(box.left >= outer.left && box.right <= outer.right, `${part} ${JSON.stringify(box)}`);
        ok(box.top >= outer.top && box.bottom <= outer.bottom, `${part} ${JSON.stringify(box)}`);
      }
    });

  it('passes the checks of accessibility, also with forced colours', async () => {
    for (const forcedColors of ['none', 'active'] as const) {
      await emulateMedia({ forcedColors });
      await ask(HANDOFF);
      if (forcedColors === 'active') shadow('[part=handoff-add-note]')?.click();
      for (const animation of element.getAnimations({ subtree: true })) animation.finish();
      const { violations } = await axe.run(element);
      equal(
        violations.map(({ id }) => id),
        [],
      );
      const border = getComputedStyle(shadow('[part=handoff]') ?? element).borderTopWidth;
      equal(border, forcedColors === 'active' ? '1px' : '0px');
    }
  });
});

describe('the pointers of agents in <cloud-browser>', () => {
  const subscribed = () => network.host.last.of('call').some(({ args }) => args[0] === 'users.onPointer');
  const arrow = () => shadow('.agent-pointer');

  it('are requested only if the session has agents', async () => {
    await appears('[part=handoff]');
    await element.updateComplete;
    equal(subscribed(), false);
    network.host.last.send({ type: 'agents', agents: [{ id: 'agent-1', ...AGENT }] });
    await element.updateComplete;
    equal(subscribed(), true);
  });

  it('stay at their place in the picture when the picture moves in the element', async () => {
    await appears('[part=handoff]');
    const { last } = network.host;
    const { viewer } = element;
    ok(viewer);
    const painted = new Promise((resolve) => viewer.once('painted', resolve));
    last.send(streamInfo());
    for (const each of await h264Packets([GREEN])) sendPacket(last, each);
    await painted;
    last.send({ type: 'agents', agents: [{ id: 'agent-1', ...AGENT }] });
    await element.updateComplete;
    const pointer = { userId: 'agent-1', x: 0, y: 0, agent: AGENT };
    last.send({ type: 'event', name: 'users.onPointer', args: [pointer] });
    for (const fit of ['none', 'fill'] as const) {
      element.fit = fit;
      await element.updateComplete;
      const { left, top } = arrow()?.getBoundingClientRect() ?? {};
      const { x, y } = viewer.toClient(0, 0);
      equal([left, top], [x, y], fit);
    }
  });

  it('are drawn with the name of the agent, and removed when it leaves', async () => {
    await appears('[part=handoff]');
    const { last } = network.host;
    last.send({ type: 'agents', agents: [{ id: 'agent-1', ...AGENT }] });
    await element.updateComplete;
    const agent = { ...AGENT, name: '\u202eHelper' };
    const pointer = { userId: 'agent-1', x: 0.5, y: 0.5, agent };
    last.send({ type: 'event', name: 'users.onPointer', args: [pointer] });
    equal(arrow()?.textContent, 'Helper');
    const at = arrow()?.getBoundingClientRect();
    const place = element.viewer?.toContainer(0.5, 0.5);
    const rounded = (values: readonly (number | undefined)[]) =>
      values.map((value) => Math.round(value ?? -1));
    equal(rounded([at?.left, at?.top]), rounded([place?.x, place?.y]));
    last.send({ type: 'event', name: 'users.onPointer', args: [{ userId: 'user-9', x: 0, y: 0 }] });
    equal(element.shadowRoot?.querySelectorAll('.agent-pointer').length, 1);
    last.send({ type: 'agents', agents: [] });
    await element.updateComplete;
    equal(arrow(), undefined);
  });
});
