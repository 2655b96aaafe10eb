import { RawProgram } from '../../e2e/support/raw-program.js';

/** Commands that a program repeats without a pause. They read, so they go on while a person has control. */
const COMMANDS: readonly (readonly [method: string, params: object])[] = [
  ['DOMSnapshot.captureSnapshot', { computedStyles: ['display', 'visibility'] }],
  ['Accessibility.getFullAXTree', {}],
  ['Runtime.evaluate', { expression: 'document.body.innerText.length', returnByValue: true }],
  ['DOM.getDocument', { depth: -1, pierce: true }],
];

/** A program that reads a page in a tab of its own, in the background, one command after the other. */
export class BusyAgent {
  #stopped = false;
  readonly #running: Promise<void>;
  /** Commands that were answered. */
  commands = 0;

  private constructor(
    private readonly program: RawProgram,
    private readonly target: string,
  ) {
    this.#running = this.#run();
    // `stop` reports a failure.
    this.#running.catch(() => undefined);
  }

  /** Connects, opens the page, and begins. */
  static async start(cdpUrl: string, page: string): Promise<BusyAgent> {
    const program = await RawProgram.open(cdpUrl);
    const opened = await program.send('Target.createTarget', { url: page, background: true }, 'browser');
    const target = String(opened.result?.['targetId']);
    const params = { targetId: target, flatten: true };
    const attached = await program.send('Target.attachToTarget', params, 'browser');
    program.page = String(attached.result?.['sessionId']);
    const agent = new BusyAgent(program, target);
    const failed = opened.error ?? attached.error;
    if (failed) {
      await agent.stop();
      throw new Error(`The agent has no page: ${failed.message}`);
    }
    return agent;
  }

  /** Resolves when the agent has left, and its tab is closed. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
    await this.program.send('Target.closeTarget', { targetId: this.target }, 'browser');
    this.program.socket.terminate();
  }

  async #run(): Promise<void> {
    for (let index = 0; !this.#stopped; index++) {
      const [method = '', params = {}] = COMMANDS[index % COMMANDS.length] ?? [];
      const { error } = await this.program.send(method, params);
      if (error) throw new Error(`${method}: ${error.message}`);
      this.commands += 1;
    }
  }
}
