import type { CloudBrowserClient } from '../../../src/core/index.js';
import { Hands } from './hands.js';
import type { HostedPage } from './hosted-page.js';
import { connectClient } from './sdk-client.js';
import type { Session } from './service.js';
import { until } from './until.js';

/** A place of the screen. */
export type Place = readonly [x: number, y: number];

/** The place of the unmasked field on a page of masked fields. */
export const FREE: Place = [170, 35];
/** On a busy machine input may be refused, because its target was not known in time. */
const RETRY_AFTER_MS = 2_000;

/** A user's input on a page of masked fields, including text without keys. */
export class Person extends Hands {
  constructor(
    readonly socket: CloudBrowserClient,
    private readonly page: HostedPage,
  ) {
    super(socket);
  }

  /** @param mayWrite into masked fields */
  static async enter(session: Session, page: HostedPage, mayWrite: boolean): Promise<Person> {
    const client = await connectClient(session);
    if (mayWrite)
      await client.remote.call('addRoles', [[client.userId ?? ''], ['field_masking']], {
        adminToken: session.admin_token,
      });
    return new Person(client, page);
  }

  text(text: string): void {
    this.socket.sendInput({ type: 'text', text, modifiers: 0 });
  }

  compose(text: string): void {
    this.socket.sendInput({ type: 'composition', text, modifiers: 0 });
  }

  wheel([x, y]: Place): void {
    this.socket.sendInput({ type: 'wheel', x, y, deltaX: 0, deltaY: -120, notched: true, modifiers: 0 });
  }

  space(): void {
    for (const pressed of [true, false])
      this.socket.sendInput({ type: 'key', pressed, repeat: false, code: 'Space', key: ' ', modifiers: 0 });
  }

  button([x, y]: Place, pressed: boolean): void {
    this.socket.sendInput({ type: 'button', button: 0, pressed, x, y, modifiers: 0 });
  }

  tap([x, y]: Place): void {
    const points = [{ id: 1, x, y }];
    this.socket.sendInput({ type: 'touch', phase: 'start', points, modifiers: 0 });
    this.socket.sendInput({ type: 'touch', phase: 'end', points: [], modifiers: 0 });
  }

  /** Copies a letter from the free field. */
  async copies(): Promise<void> {
    await this.page.run('document.getElementById("free").value = "q"');
    const copies = this.page.count('copy');
    await until('the letter is copied', () => {
      this.click(...FREE);
      this.press('Control+KeyA');
      this.press('Control+KeyC');
      return until('it is', () => this.page.count('copy') > copies, RETRY_AFTER_MS).catch(() => false);
    });
  }

  /** Drags what is selected at one place to the field `plain`, as fast as the browser follows. */
  async dragsText([x, y]: Place, to: Place): Promise<void> {
    const { page } = this;
    const [starts, overs] = [page.count('dragstart'), page.count('dragover plain')];
    this.move(x, y);
    this.button([x, y], true);
    for (let step = 1; step <= 10; step++) this.move(x + step, y + step);
    await page.event('dragstart', starts + 1);
    this.move(to[0] - 5, to[1]);
    this.move(...to);
    await page.event('dragover plain', overs + 1);
    this.button(to, false);
    await page.event('dragend', starts + 1);
  }

  /**
   * Resolves when all earlier input of this person is processed, because text in the unmasked field comes
   * after it.
   */
  async through(): Promise<void> {
    const mark = `m${Math.random()}`;
    const isThere = () => String(this.page.state['free']).includes(mark);
    await until('the mark is in the free field', async () => {
      this.press('Escape');
      this.click(...FREE);
      this.press('Control+KeyA');
      this.text(mark);
      return until('the mark arrives', isThere, RETRY_AFTER_MS).catch(() => false);
    });
  }
}
