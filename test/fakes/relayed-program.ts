import assert from 'node:assert/strict';
import { CallError } from '../../server/src/host/room/calls/call-error.js';
import { CommandCounts } from '../../server/src/host/room/agents/agent-use.js';
import { HeldInput } from '../../server/src/host/features/automation/held-input.js';
import { TIME_OF_LARGE_ANSWERS } from '../../server/src/host/features/automation/commands/large-answers.js';
import { TimeBudget } from '../../server/src/platform/rates/time-budget.js';
import { LoneCommands } from '../../server/src/host/features/automation/commands/lone-commands.js';
import { readCommand } from '../../server/src/host/features/automation/commands/messages.js';
import { Relay, type RelayParts } from '../../server/src/host/features/automation/relay.js';
import { FakeBrowser, type Command } from './fake-browser.js';
import { settle } from './passing-time.js';

/** A message that a program receives. */
export interface ProgramMessage {
  id?: number;
  method?: string;
  params?: { sessionId?: string; targetInfo?: { targetId: string; url?: string } };
  sessionId?: string;
  result?: object;
  error?: { code: number; message: string };
}

/** The session that the fake browser gives to a program. */
export const ROOT = 'worker';

/** Returns the text of the exception with which a script has ended. Otherwise returns `nothing`. */
export function exceptionOf(answer: ProgramMessage | undefined): string {
  const { exceptionDetails } = (answer?.result ?? {}) as {
    exceptionDetails?: { exception?: { description?: string } };
  };
  return exceptionDetails?.exception?.description ?? 'nothing';
}

/** A program, its relay and a fake browser. */
export class RelayedProgram {
  readonly browser = new FakeBrowser(false);
  readonly told: ProgramMessage[] = [];
  readonly unknown: string[] = [];
  readonly refusals: [method: string, reason: string][] = [];
  readonly counts = new CommandCounts();
  canRead = true;
  /** True if a user of the session is or was in privacy mode. */
  hadPrivacy = false;
  opensMasked = false;
  fetchesFiles = true;
  givesFiles = true;
  /** Ids of the files that programs have sent. */
  readonly uploads = new Set<string>();
  /** False if the program lacks the role `control`. */
  mayAct = true;
  /** True if the session is dark. Set it before {@link connect}. */
  dark = false;
  /** Pixels of the screen per CSS pixel. */
  pixelRatio = 1;
  /** Ids of the downloads that the program has cancelled. */
  readonly cancelled: string[] = [];
  /** Resolves when the content is removed that another user has sent for a paste. */
  removePasteOfOthers: () => Promise<void> | undefined = () => undefined;
  /** Resolves when the program has control. Undefined: at once. */
  held: (() => Promise<void>) | undefined;
  #relay: Relay | undefined;

  get relay(): Relay {
    return this.#relay ?? assert.fail('The relay is not open.');
  }

  /** @param masks whether the session has masked fields */
  static async open(masks = false): Promise<RelayedProgram> {
    const program = new RelayedProgram();
    await program.connect(masks);
    return program;
  }

  /** Opens a program with a page, whose session is `A`. */
  static async withPage(masks = false): Promise<RelayedProgram> {
    const program = await RelayedProgram.open(masks);
    await program.attach('A', 'https://example.com/');
    return program;
  }

  /** Sends a command. Returns the messages that follow it. */
  async ask(command: object): Promise<ProgramMessage[]> {
    const from = this.told.length;
    const text = JSON.stringify(command);
    void this.relay.take(readCommand(text), text.length);
    await settle();
    return this.told.slice(from);
  }

  /** Sends a command that the relay refuses. Returns the sentence of its error or of its exception. */
  async refusal(method: string, params: object, sessionId?: string): Promise<string> {
    const [answer] = await this.ask({ id: 1, method, params, ...(sessionId && { sessionId }) });
    return answer?.error?.message ?? exceptionOf(answer);
  }

  /** Lets the browser attach the program to a target. */
  async attach(sessionId: string, url: string, type = 'page', parent = ROOT): Promise<void> {
    const targetInfo = { targetId: `target-${sessionId}`, url, type };
    this.browser.tell('Target.targetCreated', { targetInfo }, ROOT);
    this.browser.tell('Target.attachedToTarget', { sessionId, targetInfo, waitingForDebugger: true }, parent);
    await settle();
  }

  sentTo(sessionId: string): Command[] {
    return this.browser.commands.filter((command) => command.sessionId === sessionId);
  }

  /** Opens a session with the browser. The fake browser answers `Target.attachToTarget` alone with one. */
  async answerSession(sessionId: string, opening: () => Promise<unknown>): Promise<void> {
    const { browser } = this;
    browser.silent = ({ method }) => method === 'Target.attachToBrowserTarget';
    const opened = opening();
    await settle();
    const asked = browser.commands.filter(({ method }) => method === 'Target.attachToBrowserTarget').at(-1);
    const own = asked?.sessionId && { sessionId: asked.sessionId };
    if (own) {
      const targetInfo = { targetId: 'real-browser', type: 'browser', title: '', url: '' };
      browser.tell('Target.attachedToTarget', { sessionId, targetInfo, waitingForDebugger: false }, ROOT);
    }
    browser.say(JSON.stringify({ id: asked?.id, result: { sessionId }, ...own }));
    await opened;
    browser.silent = () => false;
    await settle();
  }

  /**
   * Opens the relay.
   *
   * @param masks whether the session has masked fields
   * @param first a command that the program sends as soon as the relay is open
   */
  async connect(masks = false, first?: object): Promise<void> {
    const { browser, told, unknown } = this;
    await this.answerSession(ROOT, async () => {
      this.#relay = await Relay.open({
        ...{
          cdp: browser.cdp,
          agent: this.#agent(),
          ...{ masks, dark: this.dark, pixelRatio: () => this.pixelRatio },
          hadPrivacy: () => this.hadPrivacy,
          alone: new LoneCommands().ofProgram(),
          held: new HeldInput(),
          largeTime: new TimeBudget(TIME_OF_LARGE_ANSWERS.all, () => performance.now()),
        },
        send: (text) => void told.push(JSON.parse(text) as ProgramMessage),
        answer: (text) => void told.push(JSON.parse(text) as ProgramMessage),
        ...{ onClosed: () => undefined, onLeave: () => undefined },
        cancelDownload: (id) => void this.cancelled.push(id),
        pathOf: (id) => Promise.resolve(`/inside/${id}`),
        uploadOf: (id, target) => (this.uploads.has(id) ? `/sent/${id}/${target}` : undefined),
        ...{ emulateFocus: () => undefined, shown: { moved: () => undefined } },
        onRefused: (method, reason) => void this.refusals.push([method, reason]),
        onUnknown: (method) => void unknown.push(method),
      });
      if (first) void this.relay.take(readCommand(JSON.stringify(first)), 0);
    });
  }

  #agent(): RelayParts['agent'] {
    const canRead = () => this.canRead;
    const opensMasked = () => this.opensMasked;
    const fetchesFiles = () => this.fetchesFiles;
    const givesFiles = () => this.givesFiles;
    const mayAct = () => this.mayAct;
    return {
      get canRead() {
        return canRead();
      },
      get opensMasked() {
        return opensMasked();
      },
      get fetchesFiles() {
        return fetchesFiles();
      },
      get givesFiles() {
        return givesFiles();
      },
      get mayAct() {
        return mayAct();
      },
      ...{ id: 'program', counts: this.counts },
      act: () => this.held?.() ?? Promise.resolve(),
      checkControl: () => {
        if (!this.mayAct) throw new CallError('err_forbidden', 'This needs the role control.');
      },
      perform: async (command) => {
        await this.held?.();
        return command();
      },
      ...{
        performs: () => undefined,
        acted: () => undefined,
        pointer: () => undefined,
        leave: () => undefined,
      },
      ...{ onControlReturned: () => undefined, onHandoffDone: () => undefined, onKicked: () => undefined },
      use: () => () => undefined,
      removePasteOfOthers: () => this.removePasteOfOthers(),
      requestHuman: () => assert.fail('No person is requested.'),
    };
  }
}
