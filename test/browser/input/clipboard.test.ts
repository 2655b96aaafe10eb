import { sendKeys } from '@web/test-runner-commands';
import type { PastedContent } from '../../../src/input/index.js';
import { Modifier } from '../../../src/protocol/index.js';
import { equal } from './assert.js';
import { bench, frame, key, mouse, type Bench } from './harness.js';

const { control, shift } = Modifier;

/** A paste that is ready is sent before this resolves. */
const turn = () => new Promise((resolve) => setTimeout(resolve));

let hand: Bench;
const down = (letter: string) =>
  key(hand.field, 'keydown', { code: `Key${letter.toUpperCase()}`, key: letter, ctrlKey: true });
const up = (letter: string) =>
  key(hand.field, 'keyup', { code: `Key${letter.toUpperCase()}`, key: letter, ctrlKey: true });
const event = (data: Record<string, string>, file?: File) => {
  const clipboardData = new DataTransfer();
  for (const [type, text] of Object.entries(data)) clipboardData.setData(type, text);
  if (file) clipboardData.items.add(file);
  hand.field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, clipboardData, cancelable: true }));
};
/**
 * Presses Control+V with this text on the local clipboard. Resolves to the sent event: `V` for the key, or
 * the text.
 */
const paste = async (text: string): Promise<string> => {
  hand.sent.length = 0;
  down('v');
  event(text ? { 'text/plain': text } : {});
  up('v');
  await turn();
  return hand.sent
    .map((said) =>
      said.type === 'paste'
        ? hand.pasted[said.transfer - 1]?.text
        : said.type === 'text'
          ? `typed ${said.text}`
          : said.type === 'key'
            ? 'V'
            : '?',
    )
    .join(' ');
};
const copy = () => {
  down('c');
  up('c');
};

describe('pasting', () => {
  beforeEach(() => {
    hand = bench();
    hand.input.focus();
  });
  afterEach(() => hand.close());

  it('sends the text of the local clipboard every time', async () => {
    equal(await paste('one'), 'one');
    equal(await paste('one'), 'one');
  });

  it('uses the remote clipboard when the local clipboard is empty', async () => {
    equal(await paste(''), 'V V');
  });

  it('uses the remote clipboard after a remote copy', async () => {
    equal(await paste('one'), 'one');
    copy();
    equal(await paste('one'), 'V V');
  });

  it('uses the local clipboard if the remote copy was written to it', async () => {
    copy();
    hand.input.copied(true);
    equal(await paste('one'), 'one');
    hand.input.copied(false);
    equal(await paste('one'), 'V V');
  });

  it('uses the local clipboard again after the user brings new text from elsewhere', async () => {
    equal(await paste('one'), 'one');
    copy();
    window.dispatchEvent(new Event('blur'));
    equal(await paste('one'), 'V V');
    window.dispatchEvent(new Event('blur'));
    equal(await paste('two'), 'two');
  });

  it('pastes also if the page has replaced the clipboard by an object without events', async () => {
    hand.close();
    const clipboard = { writeText: () => Promise.resolve() };
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
    hand = bench();
    Reflect.deleteProperty(navigator, 'clipboard');
    equal(await paste('one'), 'one');
  });

  describe('a local copy on the page', () => {
    const write = (text: string) => navigator.clipboard.writeText(text);
    let button: HTMLButtonElement;
    beforeEach(() => {
      button = document.body.appendChild(document.createElement('button'));
    });
    afterEach(() => button.remove());

    it('is pasted if a button made it after a remote copy', async () => {
      equal(await paste('one'), 'one');
      copy();
      const done = new Promise<void>((resolve) =>
        button.addEventListener('click', () => void write('two').then(resolve), { once: true }),
      );
      button.focus();
      button.click();
      await done;
      hand.input.focus();
      equal(await paste('two'), 'two');
    });

    it('is pasted if it was made without moving the focus', async () => {
      copy();
      await write('one');
      equal(await paste('one'), 'one');
      copy();
      equal(await paste('one'), 'V V');
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': 'one' })]);
      equal(await paste('one'), 'one', 'the same text again');
    });

    it('is pasted even if the page stops the copy event', async () => {
      copy();
      const stop = (event: Event) => event.stopPropagation();
      button.addEventListener('copy', stop, { once: true });
      button.dispatchEvent(new ClipboardEvent('copy', { bubbles: true }));
      equal(await paste('one'), 'one');
    });

    it('is pasted if a menu of this browser made it', async () => {
      copy();
      button.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true }));
      equal(await paste('a link'), 'a link');
    });

    it('is not assumed when the user only moved the focus', async () => {
      copy();
      button.focus();
      button.click();
      hand.input.focus();
      equal(await paste('old'), 'V V');
    });

    it('is not pasted if a remote copy was made later', async () => {
      await write('old');
      copy();
      equal(await paste('old'), 'V V');
    });

    it('is detected when the clipboard has changed since the last reading', async () => {
      hand.input.copied(false, Promise.resolve({ text: 'old' }));
      await turn();
      equal(await paste('new'), 'new');
      hand.input.copied(false, Promise.resolve({ text: 'new' }));
      await turn();
      window.dispatchEvent(new Event('blur'));
      equal(await paste('new'), 'V V');
    });

    it("is detected by each of two screens, and closing them restores the page's methods", async () => {
      const other = hand;
      hand = bench();
      copy();
      other.close();
      await write('one');
      equal(await paste('one'), 'one');
      hand.close();
      equal(Object.hasOwn(navigator.clipboard, 'writeText'), false);
    });
  });

  it('sends the plain key before the next one if no paste event arrives', () => {
    down('v');
    equal(hand.sent, []);
    up('v');
    equal(
      hand.of('key').map(({ key, pressed, modifiers }) => [key, pressed, modifiers]),
      [
        ['v', true, control],
        ['v', false, control],
      ],
    );
  });

  it('is sent as Control+V from a real keyboard', async () => {
    await sendKeys({ press: 'Control+KeyV' });
    await turn();
    const [first, ...rest] = hand.sent.map((sent) => ('key' in sent ? sent.key : sent.type));
    equal(first, 'Control');
    equal(rest.includes('v'), true);
  });

  it('sends a picture that is no PNG, and files, instead of the older remote clipboard', async () => {
    copy();
    window.dispatchEvent(new Event('blur'));
    for (const file of [
      new File(['jpeg'], 'photo.jpg', { type: 'image/jpeg' }),
      new File(['pdf'], 'letter.pdf', { type: 'application/pdf' }),
    ]) {
      down('v');
      event({}, file);
      up('v');
      await turn();
    }
    equal(
      hand.pasted.map(({ image, files }) => [image?.type, files]),
      [
        ['image/jpeg', undefined],
        [undefined, 'letter.pdf'],
      ],
    );
    copy();
    equal(await paste(''), 'V V', 'the remote clipboard is newer again');
  });

  it('sends HTML and a picture together with the text', async () => {
    const png = new File(['picture'], 'image.png', { type: 'image/png' });
    event({ 'text/plain': 'bold', 'text/html': '<b>bold</b>' }, png);
    await turn();
    const [content] = hand.pasted;
    equal([content?.text, content?.html, content?.png?.type], ['bold', '<b>bold</b>', 'image/png']);
  });

  for (const [name, init, modifiers] of [
    ['Shift+Insert', { code: 'Insert', key: 'Insert', shiftKey: true }, shift],
    ['Control+Shift+V', { code: 'KeyV', key: 'V', shiftKey: true, ctrlKey: true }, shift | control],
  ] as const)
    it(`sends the shortcut that the user pressed: ${name}`, async () => {
      key(hand.field, 'keydown', init);
      event({ 'text/plain': 'one' });
      key(hand.field, 'keyup', init);
      await turn();
      equal(
        hand.of('paste').map((said) => [said.code, said.key, said.modifiers]),
        [[init.code, init.key, modifiers]],
      );
    });

  it('from a menu of this browser or of a phone sends Control+V', async () => {
    copy();
    event({ 'text/plain': 'from a menu' });
    await turn();
    equal(
      hand.of('paste').map(({ key, modifiers }) => [key, modifiers]),
      [['v', control]],
    );
    const edit = { inputType: 'insertFromPaste', data: 'from a phone', bubbles: true, cancelable: true };
    hand.field.dispatchEvent(new InputEvent('beforeinput', edit));
    await turn();
    equal(hand.pasted.at(-1), { text: 'from a phone' });
  });
});

describe('a paste whose content is still being sent', () => {
  let arrive: (transfer: number | undefined) => void;
  beforeEach(() => {
    const upload = () => new Promise<number | undefined>((resolve) => (arrive = resolve));
    hand = bench('other', { upload });
    hand.input.focus();
    hand.sent.length = 0;
    event({ 'text/plain': 'long' });
  });
  afterEach(() => hand.close());

  const said = () => hand.sent.map(({ type }) => type).join(' ');

  it('delays later keys and presses, but not pointer moves', async () => {
    key(hand.field, 'keydown', { code: 'Enter', key: 'Enter' });
    mouse(hand.surface, 'mousemove', { clientX: 10, clientY: 10 });
    await frame();
    equal(said(), 'move');
    arrive(1);
    await turn();
    equal(said(), 'move paste key');
  });

  it('is not sent after the input was closed, like the keys that wait for it', async () => {
    key(hand.field, 'keydown', { code: 'Enter', key: 'Enter' });
    hand.input.close();
    arrive(1);
    await turn();
    equal(said(), 'release');
  });

  it('is skipped if its content cannot be pasted', async () => {
    key(hand.field, 'keydown', { code: 'Enter', key: 'Enter' });
    arrive(undefined);
    await turn();
    equal(said(), 'key');
  });
});

describe('pasting into an older session', () => {
  it('types the text', async () => {
    hand = bench('other', { takesPaste: false });
    hand.input.focus();
    equal(await paste('one'), 'typed one');
    hand.close();
  });
});

describe('content for the paste item of a remote menu', () => {
  const press = () => {
    for (const type of ['mousedown', 'mouseup']) mouse(hand.surface, type, { button: 2, clientX: 10 });
  };
  const presses = () => hand.of('button').length;
  afterEach(() => hand.close());

  it('is sent before the press that opens the menu', async () => {
    let taken: () => void = () => undefined;
    const offered: PastedContent[] = [];
    const offer = (content: PastedContent) => {
      offered.push(content);
      return new Promise<void>((resolve) => (taken = resolve));
    };
    hand = bench('other', { offer });
    hand.input.offer(Promise.resolve({ text: 'local' }));
    press();
    await turn();
    equal([offered, presses()], [[{ text: 'local' }], 0]);
    taken();
    await turn();
    equal(presses(), 2);
  });

  it('does not delay the press if there is none or it cannot be read', async () => {
    hand = bench('other', { offer: () => Promise.reject(new Error('Nobody may.')) });
    for (const reading of [Promise.resolve({}), Promise.resolve(undefined), Promise.resolve({ text: 'a' })]) {
      hand.input.offer(reading);
      press();
      await turn();
    }
    equal(presses(), 6);
  });

  it('delays the press only for a short time', async () => {
    hand = bench('other', { offer: () => new Promise<void>(() => undefined) });
    hand.input.offer(Promise.resolve({ text: 'local' }));
    press();
    await turn();
    equal(presses(), 0);
    while (presses() < 2) await frame();
  });
});
