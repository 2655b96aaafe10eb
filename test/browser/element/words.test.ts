import axe from './axe.js';
import '../../../src/element/define.js';
import { LatePart } from '../../../src/core/late-part.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { closeCodeOf, SERVER_REASONS, encodeSoundPacket } from '../../../src/protocol/index.js';
import { equal, ok } from '../support/assert.js';
import { connectElement } from '../support/connected-element.js';
import { nextEvent } from '../support/events.js';
import { FakeNetwork } from '../support/fake-web-socket.js';

/** Neither the page nor its frame goes away under a test. */
const STAYS = (event: Event) => event.preventDefault();

describe('the messages of <cloud-browser>', () => {
  let network: FakeNetwork;
  let element: CloudBrowserElement;

  beforeEach(async () => {
    network = new FakeNetwork();
    element = await connectElement(network);
  });

  afterEach(() => {
    element.remove();
    network.restore();
  });

  const shadow = (selector: string) => element.shadowRoot?.querySelector<HTMLElement>(selector) ?? undefined;
  const textOf = (selector: string) => shadow(selector)?.textContent.replace(/\s+/g, ' ').trim();
  const status = () => textOf('[part=status]');
  const warn = async (kind: 'inactive' | 'absolute' | 'shutdown' | 'offline', delay: number | null) => {
    network.host.last.send({ type: 'close-warning', kind, delay });
    await element.updateComplete;
  };
  const noFaults = async () => equal((await axe.run(element)).violations, []);

  it('say that a part could not be loaded', async () => {
    const error = await new Promise<Error>((resolve) => {
      const load = () => Promise.reject(new TypeError('blocked'));
      const part = new LatePart<never>({
        load,
        onLoaded: () => undefined,
        onFailure: (failure) => {
          part.close();
          resolve(failure);
        },
      });
    });
    const reported = nextEvent(element, 'error');
    element.viewer?.emit('error', new Error('Another error.'));
    await reported;
    await element.updateComplete;
    equal(status(), '');
    element.viewer?.emit('error', error);
    await element.updateComplete;
    equal(status(), 'A part of this page did not load. If something does not work, reload the page.');
    await noFaults();
  });

  describe('before an end', () => {
    it('count down, and offer to stay if activity is enough to keep the session', async () => {
      await warn('inactive', 65_000);
      equal(textOf('[part=warning]'), 'Nobody has used this browser for a while. It closes in 1:05. Stay');
      await noFaults();
      shadow('[part=stay]')?.click();
      equal(network.host.last.of('ping').at(-1)?.active, true);
      ok(shadow('[part=warning]'), 'the session decides whether that keeps it');
      await warn('inactive', null);
      equal(shadow('[part=warning]'), undefined);
    });

    it('count down to the earliest end', async () => {
      await warn('absolute', 30_000);
      equal(textOf('[part=warning]'), 'This session reaches its time limit in 0:30.');
      await warn('shutdown', 5_000);
      equal(textOf('time'), '0:05');
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      await element.updateComplete;
      ok(['0:04', '0:03'].includes(textOf('time') ?? ''), textOf('time'));
      await warn('shutdown', null);
      ok(textOf('[part=warning]')?.startsWith('This session reaches'));
    });

    it('are hidden if the session ends because everybody has left', async () => {
      await warn('offline', 30_000);
      equal(shadow('[part=warning]'), undefined);
    });

    it('are left to a page that cancels the event or fills the slot', async () => {
      element.addEventListener('closewarning', STAYS, { once: true });
      await warn('inactive', 65_000);
      equal(shadow('[part=warning]'), undefined);
      element.innerHTML = '<p slot="warning">Still there?</p>';
      await warn('inactive', 65_000);
      equal(
        element.shadowRoot?.querySelector<HTMLSlotElement>('slot[name=warning]')?.assignedElements()[0]
          ?.textContent,
        'Still there?',
      );
    });

    it('are removed with the connection that sent them', async () => {
      await warn('inactive', 65_000);
      network.host.last.close();
      const opened = await network.opened();
      opened.welcome();
      await element.updateComplete;
      equal([element.state, shadow('[part=warning]')], ['playing', undefined]);
    });
  });

  describe('after an end', () => {
    for (const reason of SERVER_REASONS) {
      it(`explain the end and offer a next step: ${reason}`, async () => {
        network.host.last.close(closeCodeOf(reason));
        await element.updateComplete;
        ok((textOf('.title') ?? '').length > 5 && (textOf('.detail') ?? '').length > 10);
        ok(shadow('[part~=step]'));
        await noFaults();
      });
    }

    it('explain a disconnect by the page, and offer to connect again', async () => {
      const ended = nextEvent(element, 'disconnect');
      element.disconnect();
      equal((await ended).reason, 'disconnected');
      await element.updateComplete;
      equal([textOf('.title'), textOf('[part~=step]')], ['Disconnected', 'Try again']);
    });

    it('distinguish the end of the session from a disconnect', async () => {
      network.host.last.close(closeCodeOf('request'));
      await element.updateComplete;
      equal([textOf('.title'), textOf('[part~=step]')], ['Session ended', 'Start again']);
      const opened = network.opened();
      element.embedUrl = 'https://host.example/b?token=t';
      (await opened).welcome();
      element.disconnect();
      await element.updateComplete;
      equal([textOf('.title'), textOf('[part~=step]')], ['Disconnected', 'Try again']);
    });

    it('request a new session from the application, and do not reload the page if it handles the event', async () => {
      network.host.last.close(closeCodeOf('inactive'));
      await element.updateComplete;
      const asked = nextEvent(element, 'startagain');
      element.addEventListener('startagain', STAYS);
      shadow('[part~=step]')?.click();
      equal((await asked).reason, 'inactive');
      const opened = network.opened();
      element.embedUrl = 'https://host.example/b?token=t';
      (await opened).welcome({ userId: 'user-2' });
      await element.updateComplete;
      equal([element.state, status()], ['playing', '']);
    });

    it('offer to connect again if that can help', async () => {
      network.host.last.close(closeCodeOf('full'));
      await element.updateComplete;
      const opened = network.opened();
      shadow('[part~=retry]')?.click();
      (await opened).welcome();
      equal(element.state, 'playing');
    });

    it('hide the element on close, unless the application handles the event', async () => {
      network.host.last.close(closeCodeOf('kicked'));
      await element.updateComplete;
      element.addEventListener('closerequest', STAYS, { once: true });
      shadow('[part~=step]')?.click();
      equal(element.hidden, false);
      shadow('[part~=step]')?.click();
      equal(element.hidden, true);
    });
  });

  it('report at once that the network is lost and that it is back', async () => {
    window.dispatchEvent(new Event('offline'));
    await element.updateComplete;
    equal(
      [element.state, element.quality, status()],
      ['reconnecting', 'lost', 'You are offline. The picture comes back with the network.'],
    );
    const opened = network.opened();
    window.dispatchEvent(new Event('online'));
    await element.updateComplete;
    equal(status(), 'Reconnecting…');
    (await opened).welcome();
    equal(element.state, 'playing');
  });

  it('report a first connection without a network', async () => {
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    try {
      element.remove();
      element = document.createElement('cloud-browser');
      const opened = network.opened();
      element.embedUrl = 'https://host.example/a?token=t';
      document.body.append(element);
      await opened;
      await element.updateComplete;
      equal(
        [element.state, status()],
        ['connecting', 'You are offline. The picture comes back with the network.'],
      );
    } finally {
      Reflect.deleteProperty(navigator, 'onLine');
    }
  });

  it('report the quality of the connection', async () => {
    const changed = nextEvent(element, 'qualitychange');
    network.host.last.send({ type: 'pong', id: network.host.last.of('ping').at(-1)?.id ?? 0 });
    equal([(await changed).quality, element.quality], ['good', 'good']);
    element.client?.emit('quality', 'good');
    equal(shadow('[part=quality]'), undefined);
  });

  it('include a message of the page, and no notice that the page handles itself', async () => {
    element.notify('The file is too large.');
    await element.updateComplete;
    equal(status(), 'The file is too large.');
    element.addEventListener('notice', STAYS);
    network.host.last.send({ type: 'notice', kind: 'page-crashed', message: 'A page crashed.' });
    await element.updateComplete;
    equal(status(), 'The file is too large.');
  });

  it('can be replaced by other texts', async () => {
    element.texts = { stay: 'Bleiben', 'warning.inactive': 'Noch {time}', 'inactive.title': 'Vorbei' };
    await warn('inactive', 65_000);
    equal(textOf('[part=warning]'), 'Noch 1:05 Bleiben');
    network.host.last.close(closeCodeOf('inactive'));
    await element.updateComplete;
    equal(textOf('.title'), 'Vorbei');
  });

  it('name the field for keys too, also if the page loads no other language', async () => {
    const named = () => {
      element.focus();
      const field = element.shadowRoot?.activeElement;
      return [field?.ariaLabel, field?.getAttribute('aria-description')];
    };
    const [, english] = named();
    element.label = 'Support desk';
    element.texts = { keys: 'Tasten gehen in den Laden.' };
    await element.updateComplete;
    equal(named(), ['Support desk', 'Tasten gehen in den Laden.']);
    element.label = '';
    element.texts = {};
    await element.updateComplete;
    equal(named(), ['Remote browser', english]);
  });

  describe('for blocked sound', () => {
    const sound = () =>
      network.host.last.listener.onMessage(
        encodeSoundPacket({ start: true, number: 1, captureTime: 0, payload: new Uint8Array(8) }),
      );

    it('offer to turn it on', async () => {
      const Original = AudioContext;
      const states: AudioContextState[] = ['suspended'];
      class Held extends Original {
        override get state() {
          return states.at(-1) ?? 'suspended';
        }
        override resume(): Promise<void> {
          states.push('running');
          this.dispatchEvent(new Event('statechange'));
          return Promise.resolve();
        }
      }
      globalThis.AudioContext = Held;
      try {
        const blocked = nextEvent(element, 'audioblocked');
        sound();
        equal([(await blocked).blocked, element.audioBlocked], [true, true]);
        await element.updateComplete;
        ok(element.matches(':state(audio-blocked)'));
        equal(textOf('[part=unmute]'), 'Turn on sound');
        await noFaults();
        element.muted = true;
        await element.updateComplete;
        equal(shadow('[part=unmute]'), undefined);
        element.muted = false;
        await element.updateComplete;
        const heard = nextEvent(element, 'audioblocked');
        shadow('[part=unmute]')?.click();
        equal((await heard).blocked, false);
        await element.updateComplete;
        equal([element.audioBlocked, shadow('[part=unmute]')], [false, undefined]);
      } finally {
        globalThis.AudioContext = Original;
      }
    });
  });
});
