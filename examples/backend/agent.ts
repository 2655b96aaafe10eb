import { chromium, type Browser, type Page } from 'playwright-core';
import type { SessionCreated } from 'cloud-browser/api';
import { askPerson } from './ask-person.js';

/** Progress of the agent, as its page shows it. */
export interface AgentReport {
  steps: { text: string; state: 'next' | 'running' | 'asking' | 'done' | 'failed' }[];
  ended: boolean;
  failure?: string;
}

/**
 * A scripted agent: fills in the two pages of an order, lets a person sign in, and places the order. The
 * service itself serves the shop, so that the example works without the internet.
 */
export class FlowerAgent {
  static readonly SHOP = 'http://welcome.cloud-browser.internal/order.html';
  readonly #steps: AgentReport['steps'] = [];
  readonly #tasks: ((page: Page) => Promise<void>)[] = [];
  #failure: string | undefined;
  #ended = false;
  /** Called after each change. */
  onReport: (report: AgentReport) => void = () => undefined;

  constructor(private readonly session: SessionCreated) {
    this.#step('Choose a bouquet', (page) => this.#chooseBouquet(page));
    this.#step('Enter the address', (page) => this.#enterAddress(page));
    this.#step('Ask a person to sign in', (page) => this.#signIn(page));
    this.#step('Place the order', (page) => this.#placeOrder(page));
  }

  get report(): AgentReport {
    const failure = this.#failure;
    return { steps: this.#steps, ended: this.#ended, ...(failure !== undefined && { failure }) };
  }

  /** Connects to the session, performs the steps, and leaves the session. Never rejects. */
  async run(): Promise<void> {
    let browser: Browser | undefined;
    try {
      browser = await chromium.connectOverCDP(this.session.cdp_url ?? '');
      const [page] = browser.contexts()[0]?.pages() ?? [];
      if (!page) throw new Error('The session has no page.');
      for (const [at, task] of this.#tasks.entries()) {
        this.#mark(at, 'running');
        await task(page);
        this.#mark(at, 'done');
      }
    } catch (error) {
      const at = this.#steps.findIndex(({ state }) => state !== 'done');
      this.#failure = error instanceof Error ? error.message : String(error);
      this.#mark(at, 'failed');
    }
    // Leaves the session also after a failure. If the session has ended, the connection is closed already.
    await browser?.close().catch(() => undefined);
    this.#ended = true;
    this.onReport(this.report);
  }

  async #chooseBouquet(page: Page): Promise<void> {
    await page.getByLabel('Bouquet').selectOption('Peonies');
    await page.getByLabel('For whom').pressSequentially('Ada Lovelace', { delay: 40 });
    await page.getByLabel('Text on the card').pressSequentially('Happy birthday!', { delay: 40 });
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  async #enterAddress(page: Page): Promise<void> {
    await page.getByLabel('Street').pressSequentially('12 St James’s Square', { delay: 40 });
    await page.getByLabel('City').pressSequentially('London', { delay: 40 });
    await page.getByLabel('Deliver in the morning').check();
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  /** An agent should not know passwords. The person types them into the browser. */
  async #signIn(page: Page): Promise<void> {
    await page.getByLabel('Password').waitFor();
    this.#mark(2, 'asking');
    const { outcome } = await askPerson(
      this.session,
      'Sign in to the shop, then press Done. Any email address and password will do.',
    );
    if (outcome !== 'done') throw new Error('No person has signed in, so the agent has stopped.');
  }

  async #placeOrder(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Place the order' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  }

  #step(text: string, task: (page: Page) => Promise<void>): void {
    this.#steps.push({ text, state: 'next' });
    this.#tasks.push(task);
  }

  #mark(at: number, state: AgentReport['steps'][number]['state']): void {
    const step = this.#steps[at];
    if (!step) return;
    step.state = state;
    this.onReport(this.report);
  }
}
