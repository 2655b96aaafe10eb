import { startTeller, type FieldReport } from '../../../server/browser-extensions/focus/teller.js';

type Told = Pick<FieldReport, 'focused' | 'kind'>;

describe('the focus that a frame reports', () => {
  let field: HTMLInputElement;
  let hasFocus: boolean;
  let told: Told[];
  let heard: () => void;
  let teller: ReturnType<typeof startTeller>;
  beforeEach(() => {
    field = document.createElement('input');
    field.type = 'tel';
    document.body.append(field);
    field.focus();
    hasFocus = true;
    // The browser that tests run in may be in the background.
    document.hasFocus = () => hasFocus;
    told = [];
    heard = () => undefined;
    teller = startTeller((message) => {
      const { field: report }: { field?: FieldReport } = message;
      if (!report) return;
      told.push({ focused: report.focused, kind: report.kind });
      heard();
    });
  });
  afterEach(() => {
    teller.stop();
    field.remove();
    Reflect.deleteProperty(document, 'hasFocus');
  });

  /** Resolves when this was the last report. */
  const tells = (focused: boolean, kind: string) =>
    new Promise<void>((resolve) => {
      heard = () => {
        const last = told.at(-1);
        if (last?.focused === focused && last.kind === kind) resolve();
      };
      heard();
    });

  it('is the field while it has the keyboard, and no field otherwise', async () => {
    await tells(true, 'tel');
    hasFocus = false;
    window.dispatchEvent(new Event('blur'));
    await tells(false, 'none');
  });

  it('is the field again if the window becomes active after the focus event', async () => {
    await tells(true, 'tel');
    hasFocus = false;
    // After a dialog of the page, Chromium reports the focus before the window is active. It sends no event
    // when the window becomes active.
    window.dispatchEvent(new Event('focus'));
    await tells(false, 'none');
    hasFocus = true;
    await tells(true, 'tel');
  });

  it('changes to no field soon, even without an event', async () => {
    field.blur();
    await tells(true, 'none');
    hasFocus = false;
    window.dispatchEvent(new Event('blur'));
    await tells(false, 'none');
    hasFocus = true;
    await tells(true, 'none');
  });
});
