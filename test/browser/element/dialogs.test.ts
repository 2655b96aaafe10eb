import { emulateMedia, sendKeys, sendMouse, setViewport } from '@web/test-runner-commands';
import axe from './axe.js';
import '../../../src/element/define.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import type { ShownDialog } from '../../../src/protocol/index.js';
import { equal, ok } from '../support/assert.js';
import { connectElement } from '../support/connected-element.js';
import { FakeNetwork } from '../support/fake-web-socket.js';
import { streamInfo } from '../support/packets.js';

const CONFIRM: ShownDialog = {
  ...{ id: 1, type: 'confirm', message: 'Delete it?\nFor good?', defaultPrompt: '', site: 'example.com' },
};
const PROMPT: ShownDialog = { ...CONFIRM, id: 2, type: 'prompt', message: 'Who?', defaultPrompt: 'Ada' };
const LONG = 'A long word. '.repeat(300);

describe('the dialog of a page in <cloud-browser>', () => {
  let network: FakeNetwork;
  let element: CloudBrowserElement;
  let field: HTMLInputElement;

  beforeEach(async () => {
    network = new FakeNetwork();
    field = document.createElement('input');
    field.ariaLabel = 'A field of the page';
    element = document.createElement('cloud-browser');
    Object.assign(element.style, { position: 'fixed', inset: '0', aspectRatio: 'auto' });
    document.body.append(field);
    await connectElement(network, element);
    await width(390);
  });
  afterEach(async () => {
    element.remove();
    field.remove();
    network.restore();
    document.documentElement.lang = '';
    await emulateMedia({ forcedColors: 'none' });
    await setViewport({ width: 800, height: 600 });
  });

  const shadow = (selector: string) => element.shadowRoot?.querySelector<HTMLElement>(selector) ?? undefined;
  const card = () => shadow('[part=dialog]');
  const labels = () =>
    [...(card()?.querySelectorAll('button') ?? [])].map(({ textContent }) => textContent.trim());
  const focused = () => element.shadowRoot?.activeElement;
  const input = () => card()?.querySelector('input') ?? undefined;

  /** Gives the remote screen another size, in pixels. */
  async function width(pixels: number, height = 1000): Promise<void> {
    network.host.last.send({ ...streamInfo(), width: pixels, height });
    await element.updateComplete;
  }

  async function ask(dialog: ShownDialog | null): Promise<void> {
    network.host.last.send({ type: 'dialog', dialog });
    await element.updateComplete;
  }

  /** Lets the time pass in which a new dialog takes no answer. */
  function settleDialog(): void {
    for (const animation of card()?.getAnimations({ subtree: true }) ?? []) animation.finish();
  }

  /** The arguments of the answers that the element has sent. */
  const answers = () =>
    network.host.last
      .of('call')
      .filter(({ method }) => method === 'answerDialog')
      .map(({ args }) => args);
  /** The keys and texts that the remote browser has got. */
  const keys = () => network.host.last.inputs.filter(({ type }) => type === 'key' || type === 'text');

  it('shows the site and the text with its lines, and answers by a click', async () => {
    await ask({ ...CONFIRM, message: '<b>Delete it?</b>\nFor good?' });
    equal(shadow('#dialog-title')?.textContent, 'example.com says');
    equal(shadow('#dialog-message')?.textContent, '<b>Delete it?</b>\nFor good?');
    equal(getComputedStyle(shadow('#dialog-message') ?? element).whiteSpace, 'pre-wrap');
    equal(labels(), ['Cancel', 'OK']);
    shadow('[part=dialog] .accept')?.click();
    // A second press does not answer the next dialog.
    shadow('[part=dialog] .accept')?.click();
    equal(answers(), [[1, { accept: true }]]);
    await ask({ ...CONFIRM, id: 3 });
    shadow('[part=dialog] .quiet')?.click();
    equal(answers().slice(1), [[3, { accept: false }]]);
    await ask(null);
    equal(card(), undefined);
  });

  it('shows the text without characters that turn its direction, and keeps its direction marks', async () => {
    await ask({ ...CONFIRM, message: 'Send \u202e001$\u202c to \u2067Ada\u2069?\u200f' });
    equal(shadow('#dialog-message')?.textContent, 'Send 001$ to Ada?\u200f');
  });

  it('has one button for an alert, and other words for the question whether to leave', async () => {
    await ask({ ...CONFIRM, type: 'alert', site: '' });
    equal([shadow('#dialog-title')?.textContent, labels()], ['This page says', ['OK']]);
    await sendKeys({ press: 'Escape' });
    equal(answers(), [[1, { accept: true }]]);
    await ask({ ...CONFIRM, id: 4, type: 'beforeunload', message: '' });
    equal(shadow('#dialog-title')?.textContent, 'Leave this page?');
    equal(shadow('#dialog-message')?.textContent, 'Changes that you made may not be saved.');
    equal(labels(), ['Stay', 'Leave']);
    await sendKeys({ press: 'Escape' });
    equal(answers().slice(1), [[4, { accept: false }]]);
  });

  it('has a field for a prompt, with the text of the page, which Enter sends', async () => {
    element.focus();
    await ask(PROMPT);
    ok(focused() === input());
    equal([input()?.value, input()?.selectionEnd], ['Ada', 3]);
    settleDialog();
    await sendKeys({ type: 'Ben ' });
    await sendKeys({ press: 'Enter' });
    equal(answers(), [[2, { accept: true, text: 'Ben ' }]]);
    equal(keys(), []);
  });

  it('answers a prompt with the text of the page if the user changes nothing', async () => {
    await ask(PROMPT);
    shadow('[part=dialog] .accept')?.click();
    equal(answers(), [[2, { accept: true, text: 'Ada' }]]);
  });

  it('keeps the text of a prompt while other things in the element change, and after a reconnect', async () => {
    await ask(PROMPT);
    await sendKeys({ type: 'Ben' });
    element.notify('Something else.');
    await element.updateComplete;
    document.body.append(element);
    await element.updateComplete;
    equal(input()?.value, 'Ben');
    shadow('[part=dialog] .accept')?.click();
    equal(answers(), [[2, { accept: true, text: 'Ben' }]]);
    const opened = network.opened();
    network.host.last.close();
    (await opened).welcome();
    await element.connect();
    await width(390);
    equal(card(), undefined);
    await ask(PROMPT);
    equal(input()?.value, 'Ben');
    await ask({ ...PROMPT, id: 5, defaultPrompt: 'Eve' });
    equal(input()?.value, 'Eve');
  });

  it('takes answers also in the next session, whose dialogs have the same numbers', async () => {
    await ask(PROMPT);
    await sendKeys({ type: 'Secret' });
    shadow('[part=dialog] .accept')?.click();
    const [call] = network.host.last.of('call').filter(({ method }) => method === 'answerDialog');
    network.host.last.send({ type: 'answer', id: call?.id ?? 0 });
    await ask(null);
    element.embedUrl = 'https://browser.test/another';
    const opened = network.opened();
    await element.updateComplete;
    (await opened).welcome();
    await element.connect();
    await width(390);
    await ask(PROMPT);
    equal(input()?.value, 'Ada');
    shadow('[part=dialog] .accept')?.click();
    equal(answers(), [[2, { accept: true, text: 'Ada' }]]);
  });

  it('keeps Tab inside, and gives the focus back to the remote browser at the end', async () => {
    element.focus();
    const before = focused();
    ok(shadow('.surface')?.contains(before ?? null));
    await ask(CONFIRM);
    equal(focused()?.textContent.trim(), 'OK');
    const seen: (string | undefined)[] = [];
    for (const press of ['Tab', 'Tab', 'Shift+Tab']) {
      await sendKeys({ press });
      seen.push(focused()?.textContent.trim());
    }
    equal(seen, ['Cancel', 'OK', 'Cancel']);
    element.focus();
    equal(focused()?.textContent.trim(), 'Cancel');
    await ask(null);
    ok(focused() === before);
    equal(keys(), []);
  });

  it('gives the focus back also after several dialogs in a row', async () => {
    element.focus();
    const before = focused();
    for (const id of [1, 2]) await ask({ ...CONFIRM, id });
    equal(focused()?.textContent.trim(), 'OK');
    await ask(null);
    ok(focused() === before);
  });

  it('lets the user leave it with the shortcut of the remote browser', async () => {
    element.focus();
    await ask(CONFIRM);
    for (const key of ['Control', 'Alt', 'Shift']) await sendKeys({ down: key });
    for (const key of ['Control', 'Alt', 'Shift']) await sendKeys({ up: key });
    equal(focused(), null);
    await element.updateComplete;
    equal(focused(), null);
  });

  it('does not take the focus from a field of the page around the element', async () => {
    field.focus();
    await ask(CONFIRM);
    ok(card());
    ok(document.activeElement === field);
    await ask(null);
    ok(document.activeElement === field);
  });

  it('takes no focus from the page around the frame of this page, which can have a field', async () => {
    const { parent } = window;
    try {
      Object.assign(window, { parent: {} });
      document.hasFocus = () => false;
      await ask(CONFIRM);
      ok(card());
      equal(focused(), null);
      document.hasFocus = () => true;
      await ask(null);
      element.focus();
      await ask({ ...CONFIRM, id: 2 });
      equal(focused()?.textContent.trim(), 'OK');
      document.hasFocus = () => false;
      await ask(null);
      equal(focused(), null);
    } finally {
      Object.assign(window, { parent });
      Reflect.deleteProperty(document, 'hasFocus');
    }
  });

  it('keeps its keys from the page and from a remote browser that gets all keys of the page', async () => {
    element.delegateKeyboard = true;
    await element.updateComplete;
    const seen: string[] = [];
    const watch = ({ type }: Event) => void seen.push(type);
    for (const type of ['keydown', 'keyup']) document.addEventListener(type, watch);
    await ask(CONFIRM);
    settleDialog();
    for (const press of ['x', 'Tab', 'Enter']) await sendKeys({ press });
    for (const type of ['keydown', 'keyup']) document.removeEventListener(type, watch);
    equal([seen, keys()], [[], []]);
    equal(answers(), [[1, { accept: false }]]);
  });

  it('ignores a key that was pressed before it appeared and repeats', async () => {
    await ask(CONFIRM);
    settleDialog();
    const repeated = new KeyboardEvent('keydown', {
      key: 'Enter',
      repeat: true,
      bubbles: true,
      cancelable: true,
    });
    shadow('[part=dialog] .accept')?.dispatchEvent(repeated);
    ok(repeated.defaultPrevented);
    equal(answers(), []);
  });

  it('takes no key that answers it until the user can have seen it', async () => {
    element.focus();
    await ask(PROMPT);
    await sendKeys({ type: 'Ben ' });
    await sendKeys({ press: 'Enter' });
    equal([input()?.value, answers()], ['Ben ', []]);
    await ask({ ...CONFIRM, id: 3 });
    for (const press of ['Enter', 'Space']) await sendKeys({ press });
    equal(answers(), []);
    settleDialog();
    await sendKeys({ press: 'Space' });
    equal(answers(), [[3, { accept: true }]]);
  });

  it('takes no press of the pointer until the user can have seen it, and neither does the next one', async () => {
    for (const id of [1, 2]) {
      await ask({ ...CONFIRM, id });
      const button = shadow('[part=dialog] .accept');
      const [animation] = button?.getAnimations() ?? [];
      ok(button && animation);
      animation.currentTime = 0;
      const { x, y, width: across, height: down } = button.getBoundingClientRect();
      const position: [number, number] = [Math.round(x + across / 2), Math.round(y + down / 2)];
      animation.pause();
      await sendMouse({ type: 'click', position });
      equal(answers().length, id - 1);
      animation.finish();
      await sendMouse({ type: 'click', position });
      equal(answers().length, id);
    }
  });

  it('takes presses beside it, and has the focus then', async () => {
    field.focus();
    await ask(CONFIRM);
    await sendMouse({ type: 'click', position: [400, 580] });
    equal(focused()?.textContent.trim(), 'OK');
    equal(
      network.host.last.inputs.filter(({ type }) => type === 'button'),
      [],
    );
  });

  it('says nothing if another user was faster, and says why another answer failed', async () => {
    const refuse = async (code: 'err_dialog_gone' | 'err_forbidden') => {
      shadow('[part=dialog] .accept')?.click();
      const id = network.host.last.of('call').findLast(({ method }) => method === 'answerDialog')?.id ?? 0;
      network.host.last.send({ type: 'answer', id, error: { code, message: 'For developers.' } });
      await new Promise((resolve) => setTimeout(resolve));
      await element.updateComplete;
    };
    await ask(CONFIRM);
    await refuse('err_dialog_gone');
    equal(shadow('[part~=status]')?.textContent.trim(), '');
    await refuse('err_forbidden');
    ok(shadow('[part~=status]')?.textContent.includes('You may not do this'));
    equal(answers().length, 2);
  });

  it('is shown only on a remote screen that is too narrow for the dialog of Chromium', async () => {
    await ask(CONFIRM);
    await width(455);
    equal(card(), undefined);
    await width(454);
    ok(card());
    network.host.last.send({ type: 'screen', pixelRatio: 2 });
    await width(909);
    ok(card());
    await width(910);
    equal(card(), undefined);
  });

  it('is shown also on a remote screen that is too low for the dialog of Chromium', async () => {
    await ask(CONFIRM);
    await width(844, 455);
    equal(card(), undefined);
    await width(844, 390);
    ok(card());
  });

  it('is not shown to a viewer that only watches', async () => {
    await ask(CONFIRM);
    element.viewOnly = true;
    await element.updateComplete;
    equal(card(), undefined);
    element.viewOnly = false;
    await element.updateComplete;
    ok(card());
  });

  it('is in German on a German page', async () => {
    document.documentElement.lang = 'de';
    await ask(CONFIRM);
    while (labels()[0] !== 'Abbrechen') await new Promise((resolve) => requestAnimationFrame(resolve));
    equal(shadow('#dialog-title')?.textContent, 'example.com meldet');
  });

  for (const [across, down] of [
    [320, 480],
    [390, 844],
    [256, 144],
    [1280, 720],
  ] as const)
    it(`stays inside a picture of ${across} × ${down}, with a long text, which keys can scroll`, async () => {
      await setViewport({ width: across, height: down });
      await ask({ ...PROMPT, message: LONG, site: `${'long.'.repeat(40)}example.com` });
      const outer = element.getBoundingClientRect();
      const box = card()?.getBoundingClientRect();
      ok(box && box.left >= outer.left && box.right <= outer.right, JSON.stringify(box));
      ok(box.top >= outer.top && box.bottom <= outer.bottom, JSON.stringify(box));
      equal(shadow('#dialog-message')?.tabIndex, 0);
      shadow('[part=dialog] .accept')?.focus();
      const button = shadow('[part=dialog] .accept')?.getBoundingClientRect();
      ok(button && button.top >= box.top && button.bottom <= box.bottom, JSON.stringify(button));
    });

  it('passes the checks of accessibility, also with forced colours', async () => {
    for (const forcedColors of ['none', 'active'] as const) {
      await emulateMedia({ forcedColors });
      for (const dialog of [CONFIRM, { ...PROMPT, message: LONG }, { ...PROMPT, id: 3, message: '' }]) {
        await ask(dialog);
        for (const animation of element.getAnimations({ subtree: true })) animation.finish();
        const { violations } = await axe.run(element);
        equal(
          violations.map(({ id }) => id),
          [],
        );
      }
    }
  });
});
