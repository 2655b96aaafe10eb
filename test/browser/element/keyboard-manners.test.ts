import { sendKeys, sendMouse } from '@web/test-runner-commands';
import axe from './axe.js';
import '../../../src/element/define.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { closeCodeOf, type RemoteField } from '../../../src/protocol/index.js';
import { equal, ok } from '../support/assert.js';
import { connectElement, settled } from '../support/connected-element.js';
import { nextEvent } from '../support/events.js';
import { FakeNetwork } from '../support/fake-web-socket.js';

const FIELD: RemoteField = {
  ...{ id: 1, place: 'page', inputMode: 'text', enterKeyHint: 'enter', capitals: 'none' },
  ...{ autocomplete: '', password: false, multiline: false, rectangle: null, caret: null },
};

describe('<cloud-browser> for keyboard users', () => {
  let network: FakeNetwork;
  let element: CloudBrowserElement;
  let before: HTMLButtonElement;
  let after: HTMLButtonElement;

  beforeEach(async () => {
    network = new FakeNetwork();
    [before, element, after] = [
      document.createElement('button'),
      document.createElement('cloud-browser'),
      document.createElement('button'),
    ];
    before.textContent = after.textContent = 'A button';
    const opened = network.opened();
    element.embedUrl = 'https://host.example/a?token=t';
    document.body.append(before, element, after);
    const connected = nextEvent(element, 'connect');
    (await opened).welcome();
    await connected;
    await settled(element);
  });

  afterEach(() => {
    for (const each of [before, element, after]) each.remove();
    network.restore();
  });

  const shadow = (selector: string) => element.shadowRoot?.querySelector<HTMLElement>(selector) ?? undefined;
  const outline = () => getComputedStyle(shadow('.focus-ring') ?? element).outlineStyle;

  it('shows the focus and the shortcut that leaves it, and the shortcut works', async () => {
    before.focus();
    equal([outline(), shadow('[part=way-out]')], ['none', undefined]);
    await sendKeys({ press: 'Tab' });
    await element.updateComplete;
    ok(document.activeElement === element);
    equal(outline(), 'solid');
    ok(shadow('[part=way-out]')?.textContent.includes('Ctrl + Alt + Shift'));
    equal((await axe.run(element)).violations, []);
    await sendKeys({ press: 'Tab' });
    ok(document.activeElement === element);
    for (const key of ['Control', 'Alt', 'Shift']) await sendKeys({ down: key });
    for (const key of ['Control', 'Alt', 'Shift']) await sendKeys({ up: key });
    await element.updateComplete;
    ok(document.activeElement === document.body);
    equal([outline(), shadow('[part=way-out]')], ['none', undefined]);
    await sendKeys({ press: 'Tab' });
    ok(document.activeElement === after);
  });

  it('shows both for a remote password field, and keeps them when the remote field changes', async () => {
    const { last } = network.host;
    last.send({ type: 'focus', field: { ...FIELD, password: true } });
    before.focus();
    await sendKeys({ press: 'Tab' });
    await element.updateComplete;
    ok(element.shadowRoot?.activeElement instanceof HTMLInputElement);
    equal(outline(), 'solid');
    ok(shadow('[part=way-out]'));
    last.send({ type: 'focus', field: { ...FIELD, id: 2 } });
    await element.updateComplete;
    ok(element.shadowRoot.activeElement instanceof HTMLTextAreaElement);
    equal(outline(), 'solid');
    ok(shadow('[part=way-out]'));
  });

  it('shows neither when the remote field changes while a user types who has clicked', async () => {
    const { x, y } = element.getBoundingClientRect();
    await sendMouse({ type: 'click', position: [Math.round(x) + 30, Math.round(y) + 30] });
    await sendKeys({ press: 'a' });
    network.host.last.send({ type: 'focus', field: { ...FIELD, password: true } });
    network.host.last.send({ type: 'focus', field: { ...FIELD, id: 2 } });
    await element.updateComplete;
    ok(element.shadowRoot?.activeElement instanceof HTMLTextAreaElement);
    equal([outline(), shadow('[part=way-out]')], ['none', undefined]);
  });

  it('shows neither to a user who clicks', async () => {
    const { x, y } = element.getBoundingClientRect();
    await sendMouse({ type: 'click', position: [Math.round(x) + 30, Math.round(y) + 30] });
    element.focus();
    await element.updateComplete;
    ok(document.activeElement === element);
    equal([outline(), shadow('[part=way-out]')], ['none', undefined]);
    for (let tab = 0; tab < 2; tab++) await sendKeys({ press: 'Tab' });
    await element.updateComplete;
    equal([outline(), shadow('[part=way-out]')], ['none', undefined]);
  });

  it('shows both when a script set the focus and the user then presses Tab', async () => {
    element.focus();
    await element.updateComplete;
    ok(document.activeElement === element);
    equal([outline(), shadow('[part=way-out]')], ['none', undefined]);
    await sendKeys({ press: 'a' });
    await element.updateComplete;
    equal([outline(), shadow('[part=way-out]')], ['none', undefined]);
    await sendKeys({ press: 'Tab' });
    await element.updateComplete;
    equal(outline(), 'solid');
    ok(shadow('[part=way-out]'));
  });

  it('remembers that a script focused it before it was connected', async () => {
    element.remove();
    element = document.createElement('cloud-browser');
    element.focus();
    await connectElement(network, element);
    ok(document.activeElement === element);
    equal([outline(), shadow('[part=way-out]')], ['none', undefined]);
    await sendKeys({ press: 'Tab' });
    await element.updateComplete;
    equal(outline(), 'solid');
    ok(shadow('[part=way-out]'));
  });

  it('lets Tab reach the buttons after the session has ended, and captures Tab after the next connect', async () => {
    element.focus();
    const over = nextEvent(element, 'disconnect');
    network.host.last.close(closeCodeOf('inactive'));
    await over;
    await element.updateComplete;
    await sendKeys({ press: 'Tab' });
    ok(element.shadowRoot?.activeElement?.matches('[part~=step]'));
    const opened = network.opened();
    const connected = element.connect();
    (await opened).welcome();
    await connected;
    element.focus();
    await sendKeys({ press: 'Tab' });
    ok(element.shadowRoot?.activeElement instanceof HTMLTextAreaElement);
    equal(
      network.host.last.inputs.map((event) => event.type === 'key' && event.key),
      ['Tab', 'Tab'],
    );
  });

  it('is skipped by Tab after the session has ended, except for its buttons', async () => {
    const over = nextEvent(element, 'disconnect');
    network.host.last.close(closeCodeOf('inactive'));
    await over;
    await element.updateComplete;
    before.focus();
    await sendKeys({ press: 'Tab' });
    ok(element.shadowRoot?.activeElement?.matches('[part~=step]'));
    await sendKeys({ press: 'Shift+Tab' });
    ok(document.activeElement === before);
  });

  it('shows both when a key of the user ran the script that set the focus', async () => {
    before.addEventListener('click', () => element.focus());
    before.focus();
    await sendKeys({ press: 'Enter' });
    await element.updateComplete;
    ok(document.activeElement === element);
    equal(outline(), 'solid');
    ok(shadow('[part=way-out]'));
  });

  it('shows neither when a script sets the focus after the user typed into a field of the page', async () => {
    const field = document.createElement('input');
    field.addEventListener('keydown', ({ key }) => key === 'Enter' && element.focus());
    document.body.append(field);
    try {
      field.focus();
      await sendKeys({ type: 'host.example' });
      await sendKeys({ press: 'Enter' });
      await element.updateComplete;
      ok(document.activeElement === element);
      equal([outline(), shadow('[part=way-out]')], ['none', undefined]);
      await sendKeys({ press: 'Tab' });
      await element.updateComplete;
      equal(outline(), 'solid');
    } finally {
      field.remove();
    }
  });

  it('shows both when a user reaches a field with Tab and its script sets the focus', async () => {
    const field = document.createElement('input');
    field.addEventListener('keydown', ({ key }) => key === 'Enter' && element.focus());
    before.after(field);
    try {
      before.focus();
      await sendKeys({ press: 'Tab' });
      ok(document.activeElement === field);
      await sendKeys({ press: 'Enter' });
      await element.updateComplete;
      equal(outline(), 'solid');
      ok(shadow('[part=way-out]'));
    } finally {
      field.remove();
    }
  });

  it('hides both when the user who reached it with Tab clicks', async () => {
    before.focus();
    await sendKeys({ press: 'Tab' });
    await element.updateComplete;
    equal(outline(), 'solid');
    const { x, y } = element.getBoundingClientRect();
    await sendMouse({ type: 'click', position: [Math.round(x) + 30, Math.round(y) + 30] });
    await element.updateComplete;
    ok(document.activeElement === element);
    equal([outline(), shadow('[part=way-out]')], ['none', undefined]);
  });

  it('captures system keys in full screen while it accepts input', async () => {
    const asked: string[] = [];
    const keyboard = {
      lock: () => Promise.resolve(void asked.push('lock')),
      unlock: () => void asked.push('unlock'),
    };
    Object.defineProperty(navigator, 'keyboard', { value: keyboard, configurable: true });
    const place = document.createElement('div');
    const fullScreen = (shown: Element | null) => {
      Object.defineProperty(document, 'fullscreenElement', { value: shown, configurable: true });
      document.dispatchEvent(new Event('fullscreenchange'));
    };
    try {
      fullScreen(place);
      equal(asked, []);
      fullScreen(element);
      equal(asked, ['lock']);
      element.viewOnly = true;
      await element.updateComplete;
      element.viewOnly = false;
      await element.updateComplete;
      const { viewer } = element;
      ok(viewer);
      viewer.viewOnly = true;
      await element.updateComplete;
      equal(asked, ['lock', 'unlock', 'lock', 'unlock']);
      viewer.viewOnly = false;
      await element.updateComplete;
      fullScreen(null);
      equal(asked, ['lock', 'unlock', 'lock', 'unlock', 'lock', 'unlock']);
      // In a shadow tree of what fills the screen.
      document.body.append(place);
      place.attachShadow({ mode: 'open' }).append(element);
      await element.updateComplete;
      fullScreen(place);
      equal(asked.at(-1), 'lock');
      element.remove();
      equal(asked.at(-1), 'unlock');
    } finally {
      place.remove();
      Reflect.deleteProperty(navigator, 'keyboard');
      Reflect.deleteProperty(document, 'fullscreenElement');
    }
  });
});
