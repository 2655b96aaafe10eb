import type { SessionRequest } from '../api.js';
import { find, findA } from '../dom.js';
import { MAX_AREA, SIDE } from '../view/screen-size.js';
import { fittingSize, formRequest, type FormChoices, type SizeFields } from './session-requests.js';
import { startUrl } from './start-url.js';
import { WELCOME_URL } from './welcome-url.js';

const STORED = 'cloud-browser-demo.form';

interface FormValues extends FormChoices {
  startUrl: string;
  size: string;
  width: string;
  height: string;
}

const DEFAULTS: FormValues = {
  startUrl: WELCOME_URL,
  size: 'fit',
  width: '1108',
  height: '831',
  fps: '60',
  quality: 'smooth',
  kiosk: false,
  record: true,
};

/** Form for a new session. It remembers its last values. */
export class SessionForm {
  readonly #form = findA(HTMLFormElement, '.session-form');
  readonly #submit = findA(HTMLButtonElement, '.session-form [type=submit]');
  readonly #agent = findA(HTMLButtonElement, "[data-action='watch-agent']");
  readonly #error = find('.form-error');
  /** Returns the pixels available for the remote screen, for "Fit this page". */
  readonly #room: () => { width: number; height: number };

  constructor(room: () => { width: number; height: number }, onSubmit: (request: SessionRequest) => void) {
    this.#room = room;
    this.#write({ ...DEFAULTS, ...remembered() });
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      const request = this.#check();
      if (request) onSubmit(request);
    });
    this.#form.addEventListener('input', () => this.#sync());
    this.#sync();
  }

  set hidden(hidden: boolean) {
    this.#form.hidden = hidden;
  }

  set busy(busy: boolean) {
    this.#submit.disabled = busy;
    this.#submit.textContent = busy ? 'Starting…' : 'Start session';
    this.#agent.disabled = busy;
  }

  /** Submits the form with its current values. */
  submit(): void {
    this.#form.requestSubmit();
  }

  /** Shows an error of the whole request. An empty text hides it. */
  showError(sentence: string): void {
    this.#error.textContent = sentence;
    this.#error.hidden = sentence === '';
    if (sentence) this.#error.scrollIntoView({ block: 'nearest' });
  }

  #check(): SessionRequest | undefined {
    const values = this.#read();
    localStorage.setItem(STORED, JSON.stringify(values));
    const address = startUrl(values.startUrl);
    const size = this.#size(values);
    const addressError = address === null ? 'Enter a web address, for example https://example.com.' : '';
    const sizeError = typeof size === 'string' ? size : '';
    this.#invalid('start-url', ['start-url'], addressError);
    this.#invalid('size', ['width', 'height'], sizeError);
    this.showError('');
    if (address === null || typeof size === 'string') {
      find(address === null ? '#start-url' : '#width').focus();
      return undefined;
    }
    return formRequest(address, size, values);
  }

  #size({ size, width, height, kiosk }: FormValues): SizeFields | string {
    const room = this.#room();
    if (size === 'fit') return fittingSize(room, kiosk);
    const [w, h] = size === 'custom' ? [Number(width), Number(height)] : size.split('x').map(Number);
    const sides = [w ?? 0, h ?? 0];
    if (!sides.every((side) => Number.isInteger(side) && side >= SIDE.min && side <= SIDE.max)) {
      return `Width and height are whole numbers from ${SIDE.min} to ${SIDE.max}.`;
    }
    const [wide = 0, high = 0] = sides;
    return wide * high > MAX_AREA
      ? 'That is more than the 1920 × 1080 pixels of the largest screen.'
      : { width: wide, height: high };
  }

  #invalid(name: string, inputs: string[], sentence: string): void {
    find(`#${name}-error`).textContent = sentence;
    for (const id of inputs) find(`#${id}`).setAttribute('aria-invalid', String(sentence !== ''));
  }

  #read(): FormValues {
    const data = new FormData(this.#form);
    const text = (name: string) => {
      const value = data.get(name);
      return typeof value === 'string' ? value : '';
    };
    return {
      startUrl: text('startUrl').trim(),
      size: text('size'),
      width: text('width'),
      height: text('height'),
      fps: text('fps'),
      quality: text('quality'),
      kiosk: data.has('kiosk'),
      record: data.has('record'),
    };
  }

  #write(values: FormValues): void {
    findA(HTMLSelectElement, '[name=size]', this.#form).value = values.size;
    for (const name of ['startUrl', 'width', 'height'] as const) {
      findA(HTMLInputElement, `[name=${name}]`, this.#form).value = values[name];
    }
    for (const name of ['fps', 'quality'] as const) {
      for (const radio of this.#form.querySelectorAll<HTMLInputElement>(`[name=${name}]`))
        radio.checked = radio.value === values[name];
    }
    for (const name of ['kiosk', 'record'] as const)
      findA(HTMLInputElement, `[name=${name}]`, this.#form).checked = values[name];
  }

  #sync(): void {
    find('.custom-size', this.#form).hidden = this.#read().size !== 'custom';
  }
}

function remembered(): Partial<FormValues> {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? '{}') as Partial<FormValues>;
  } catch {
    return {};
  }
}
