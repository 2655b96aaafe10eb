/**
 * Shows every state of the element without a service: one page per state by its name after `#`, and a list of
 * them without `#`. `npm run dev` and `scripts/state-pictures.mjs` serve it. It is not part of the build.
 * `?lang=de` and `?dir=rtl` select another language and direction. `lang=he` has some words in a
 * right-to-left language.
 */
import '../src/element/define.js';
import { addTranslation, type CloudBrowserElement } from '../src/element/define.js';
// Elsewhere these modules load on demand. Here they must be loaded before a screenshot is taken.
import '../src/element/playing/playing-views.js';
import '../src/element/files/file-link.js';
import '../src/element/files/file-transfers.js';
import {
  closeCodeOf,
  SERVER_REASONS,
  encodeSoundPacket,
  type Download,
  type HostMessage,
} from '../src/protocol/index.js';

/** The simulated host behind this page. */
interface Host {
  /** Sends a message of the host. */
  say(message: HostMessage | Uint8Array): void;
  close(code: number, reason?: string): void;
}

interface Look {
  /** Runs after the element has connected. Without it the host never answers. */
  then?: (host: Host, browser: CloudBrowserElement) => void;
  /** Milliseconds from a ping to its answer. Absent: no answer. */
  answersAfter?: number;
  /** Refuses the connection. The element tries for 20 s. */
  refuses?: boolean;
}

/** A packet that no decoder accepts. It is never decoded, because the page plays no sound. */
const SOUND = encodeSoundPacket({ start: true, number: 1, captureTime: 0, payload: new Uint8Array(8) });

const warn =
  (kind: 'inactive' | 'absolute' | 'shutdown', delay: number): NonNullable<Look['then']> =>
  (host) =>
    host.say({ type: 'close-warning', kind, delay });

const LONG_NAME = 'Minutes of the annual general meeting, with all appendices and signatures (final).pdf';

const DOWNLOADS: readonly Download[] = [
  { id: 'a', name: 'photo.jpg', size: 2_400_000, received: 2_400_000, state: 'done', kind: 'download' },
  { id: 'b', name: LONG_NAME, size: 48_000_000, received: 21_300_000, state: 'running', kind: 'download' },
  { id: 'c', name: 'Printed page.pdf', size: null, received: 80_000, state: 'running', kind: 'print' },
  {
    ...{ id: 'd', name: 'film.mkv', size: 4_700_000_000, received: 100_000_000 },
    ...{ state: 'failed', failure: 'too-large', kind: 'download' },
  },
];

const offer = (host: Host): void => {
  for (const download of DOWNLOADS) host.say({ type: 'event', name: 'files.onDownload', args: [download] });
};

const ask = (host: Host): void => {
  const chooser = { id: 'e', multiple: true, directory: false, accept: '', timeout: 60_000 };
  host.say({ type: 'event', name: 'files.onChooser', args: [chooser] });
};

/** Sets the state of a copy that waits for a click, or that failed. */
const copied = (browser: CloudBrowserElement, state: 'waiting' | 'failed', message: string): void => {
  const code = state === 'failed' ? 'unwritable' : state;
  Object.defineProperty(browser.viewer?.clipboard, 'state', { value: { state, message, code } });
  browser.requestUpdate();
};
const WAITING = 'Copied in the remote browser. One click copies it here.';
const CANNOT =
  'This browser does not let the page copy this. Open it over https, in a frame that may write the clipboard.';

/** Messages that a session sends at some ends. */
const SAID: Partial<Record<string, string>> = {
  unauthorized: 'This address does not open a session. Ask for a new one.',
  flooding: 'You sent more than a session accepts from one user. Wait a moment, then connect again.',
};

const LOOKS: Record<string, Look> = {
  connecting: {},
  playing: { answersAfter: 0, then: () => undefined },
  focused: { answersAfter: 0, then: (_host, browser) => browser.focus() },
  reconnecting: { answersAfter: 0, then: (host) => host.close(1006) },
  offline: {
    answersAfter: 0,
    then() {
      Object.defineProperty(navigator, 'onLine', { value: false });
      window.dispatchEvent(new Event('offline'));
    },
  },
  silent: { then: () => undefined },
  poor: { answersAfter: 1_100, then: () => undefined },
  private: { answersAfter: 0, then: (host) => host.say({ type: 'privacy', userId: 'somebody' }) },
  notice: {
    answersAfter: 0,
    then: (host) =>
      host.say({
        ...{ type: 'notice', kind: 'browser-crashed' },
        message: 'The browser crashed and was started again.',
      }),
  },
  'warning-inactive': { answersAfter: 0, then: warn('inactive', 42_000) },
  'warning-absolute': { answersAfter: 0, then: warn('absolute', 65_000) },
  'warning-shutdown': { answersAfter: 0, then: warn('shutdown', 9_000) },
  'sound-blocked': { answersAfter: 0, then: (host) => host.say(SOUND) },
  'files-asked': { answersAfter: 0, then: ask },
  files: { answersAfter: 0, then: offer },
  'copy-waiting': { answersAfter: 0, then: (_host, browser) => copied(browser, 'waiting', WAITING) },
  'copy-failed': { answersAfter: 0, then: (_host, browser) => copied(browser, 'failed', CANNOT) },
  'all-at-once': {
    answersAfter: 1_100,
    then(host, browser) {
      ask(host);
      offer(host);
      copied(browser, 'waiting', WAITING);
      warn('inactive', 42_000)(host, browser);
      host.say(SOUND);
      browser.notify('Another user has control of the browser.');
      browser.focus();
    },
  },
  ...Object.fromEntries(
    SERVER_REASONS.map((reason) => [
      `end-${reason}`,
      { answersAfter: 0, then: (host: Host) => host.close(closeCodeOf(reason), SAID[reason]) },
    ]),
  ),
  'end-unreachable': { refuses: true },
};

/** A WebSocket whose other side is this page. */
class PretendedSocket {
  static readonly OPEN = 1;
  static look: Look = {};
  static onHello: (host: Host) => void = () => undefined;
  readonly readyState = 1;
  onopen?: () => void;
  onmessage?: (event: { data: unknown }) => void;
  onclose?: (event: { code: number; reason: string }) => void;
  static #greeted = false;
  /**
   * Subscribed events, and events that wait for their subscription. Some modules with listeners load with the
   * first picture.
   */
  readonly #heard = new Set<unknown>();
  readonly #unheard: Extract<HostMessage, { type: 'event' }>[] = [];

  constructor() {
    setTimeout(() => {
      if (PretendedSocket.look.refuses) this.onclose?.({ code: 1006, reason: '' });
      else this.onopen?.();
    });
  }

  send(data: string | Uint8Array): void {
    if (typeof data !== 'string') return;
    const { look } = PretendedSocket;
    const message = JSON.parse(data) as { type: string; id: number; method?: string; args?: unknown[] };
    if (message.type === 'hello' && look.then && !PretendedSocket.#greeted) {
      PretendedSocket.#greeted = true;
      this.#say({
        ...{ type: 'welcome', version: 1, userId: 'me', secret: '' },
        ...{ width: 1280, height: 720, fps: 30, maxArea: 1280 * 720 },
      });
      PretendedSocket.onHello({
        say: (said) => this.#say(said),
        close: (code, reason = '') => this.onclose?.({ code, reason }),
      });
    } else if (message.type === 'call') {
      const { id, method, args } = message;
      setTimeout(() => {
        this.#say({ type: 'answer', id, ...(method === 'files.list' && { result: [] }) });
        if (method === 'subscribe') this.#subscribed(args?.[0]);
      });
    } else if (message.type === 'ping' && look.answersAfter !== undefined) {
      setTimeout(() => this.#say({ type: 'pong', id: message.id }), look.answersAfter);
    }
  }

  close(): void {
    this.onmessage = () => undefined;
  }

  #subscribed(name: unknown): void {
    this.#heard.add(name);
    for (const event of this.#unheard.splice(0)) this.#say(event);
  }

  #say(message: HostMessage | Uint8Array): void {
    if ('type' in message && message.type === 'event' && !this.#heard.has(message.name)) {
      this.#unheard.push(message);
      return;
    }
    const data = message instanceof Uint8Array ? message.slice().buffer : JSON.stringify(message);
    this.onmessage?.({ data });
  }
}

/** Draws an example page with a headline, text and an image. */
function draw(canvas: HTMLCanvasElement): void {
  Object.assign(canvas, { width: 1280, height: 720 });
  const context = canvas.getContext('2d');
  if (!context) return;
  const rectangle = (colour: string, ...area: [number, number, number, number]): void => {
    context.fillStyle = colour;
    context.fillRect(...area);
  };
  rectangle('#ffffff', 0, 0, 1280, 720);
  rectangle('#1f5eff', 0, 0, 1280, 64);
  rectangle('#d9e2f5', 760, 120, 440, 300);
  context.fillStyle = '#1b2333';
  context.font = '600 44px system-ui';
  context.fillText('A page far away', 80, 170);
  for (let line = 0; line < 12; line++) rectangle('#c9cfdb', 80, 220 + line * 36, 560 - (line % 3) * 90, 12);
}

function show(look: Look): void {
  PretendedSocket.look = look;
  Object.assign(globalThis, { WebSocket: PretendedSocket });
  // In a test the page counts as activated by the user. A file chooser would open and close at once.
  Object.defineProperty(navigator, 'userActivation', { value: { isActive: false } });
  const browser = document.createElement('cloud-browser');
  browser.keyboardButton = true;
  PretendedSocket.onHello = (host) => {
    const canvas = browser.shadowRoot?.querySelector('canvas');
    if (canvas) draw(canvas);
    look.then?.(host, browser);
  };
  document.body.append(browser);
  browser.embedUrl = 'https://session.invalid/a?token=t';
}

const { documentElement: page } = document;
const asked = new URLSearchParams(location.search);
page.lang = asked.get('lang') ?? 'en';
page.dir = asked.get('dir') ?? 'ltr';
addTranslation('he', {
  stay: 'להישאר',
  copy: 'העתקה לכאן',
  poor: 'חיבור איטי',
  soundBlocked: 'הפעלת שמע',
  'warning.inactive': 'איש לא השתמש בדפדפן זמן מה. הוא ייסגר בעוד {time}.',
  'copy.waiting': 'הועתק בדפדפן המרוחק. לחיצה אחת מעתיקה לכאן.',
  'files.title': 'קבצים',
  'files.askedMany': 'הדף מבקש קבצים.',
  'files.chooseMany': 'בחירת קבצים',
  'files.cancel': 'ביטול',
  'files.save': 'שמירה',
  'files.remove': 'הסרה',
  'files.ready': 'מוכן',
  'files.coming': 'בהורדה',
  'files.printing': 'בהדפסה',
  'files.too-large': 'גדול מדי.',
  'inactive.title': 'ההפעלה הסתיימה',
  'inactive.detail': 'איש לא השתמש בדפדפן זמן מה.',
  'step.start': 'להתחיל מחדש',
  'step.close': 'סגירה',
});
const name = location.hash.slice(1);
const look = LOOKS[name];
if (look) show(look);
else {
  const list = document.createElement('nav');
  for (const each of Object.keys(LOOKS)) {
    const link = document.createElement('a');
    link.href = `#${each}`;
    link.textContent = each;
    list.append(link);
  }
  document.body.append(list);
}
addEventListener('hashchange', () => location.reload());
