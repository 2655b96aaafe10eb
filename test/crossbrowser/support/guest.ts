import puppeteer, { type Browser, type KeyInput, type Page } from 'puppeteer-core';

/** One browser window that a test controls, with the few operations that every tested browser supports. */
export interface Guest {
  goto(url: string): Promise<void>;
  /** Runs the body of an async function in the page; resolves to what it returns, which must be JSON. */
  run(body: string): Promise<unknown>;
  /** Presses and lifts the left button at a place of the window, in CSS pixels. */
  click(x: number, y: number): Promise<void>;
  /** Turns the wheel at a place of the window, downwards by this many CSS pixels. */
  wheel(x: number, y: number, deltaY: number): Promise<void>;
  /** Types into the element that has the focus. */
  type(text: string): Promise<void>;
  /** Presses a letter with Control held. */
  pressControl(letter: string): Promise<void>;
  close(): Promise<void>;
}

/** CSS pixels of each guest's window. */
export const WINDOW = { width: 1280, height: 720 };

const FIREFOX = '/usr/bin/firefox-esr';
const CHROMIUM = '/usr/lib/chromium/chromium-headless-shell';

/** Milliseconds that one command to a browser may take on a busy machine. */
const PROTOCOL_TIMEOUT_MS = 60_000;

/** Firefox or headless Chromium, by WebDriver BiDi and by CDP. */
export class PuppeteerGuest implements Guest {
  private constructor(
    private readonly browser: Browser,
    private readonly page: Page,
  ) {}

  static async firefox(env: Record<string, string>): Promise<PuppeteerGuest> {
    return PuppeteerGuest.#open(
      await puppeteer.launch({
        browser: 'firefox',
        executablePath: FIREFOX,
        env,
        headless: true,
        protocolTimeout: PROTOCOL_TIMEOUT_MS,
      }),
    );
  }

  /**
   * As root Chromium needs `--no-sandbox`. That is safe here, because it opens only this project's own pages.
   */
  static async chromium(env: Record<string, string>): Promise<PuppeteerGuest> {
    const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    return PuppeteerGuest.#open(
      await puppeteer.launch({
        browser: 'chrome',
        executablePath: CHROMIUM,
        env,
        headless: 'shell',
        protocolTimeout: PROTOCOL_TIMEOUT_MS,
        // The last flag is that of hosted browsers, so that pictures can be compared.
        args: ['--disable-gpu', '--no-first-run', ...sandbox, '--disable-lcd-text'],
      }),
    );
  }

  static async #open(browser: Browser): Promise<PuppeteerGuest> {
    const page = await browser.newPage();
    await page.setViewport(WINDOW);
    return new PuppeteerGuest(browser, page);
  }

  async goto(url: string): Promise<void> {
    await this.page.goto(url);
  }

  async run(body: string): Promise<unknown> {
    return this.page.evaluate(`(async () => { ${body} })()`);
  }

  async click(x: number, y: number): Promise<void> {
    await this.page.mouse.click(x, y);
  }

  async wheel(x: number, y: number, deltaY: number): Promise<void> {
    await this.page.mouse.move(x, y);
    await this.page.mouse.wheel({ deltaY });
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  async pressControl(letter: string): Promise<void> {
    await this.page.keyboard.down('Control');
    await this.page.keyboard.press(letter as KeyInput);
    await this.page.keyboard.up('Control');
  }

  /** The window's picture, a PNG file. */
  async screenshot(): Promise<Buffer> {
    return Buffer.from(await this.page.screenshot({ type: 'png' }));
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}
