import {
  COMPUTER_METHODS,
  PROGRAM_FILE_METHODS,
  type ComputerMethod,
  type Role,
  type Screenshot,
  type Upload,
} from 'cloud-browser/protocol';
import type { CallingAgent } from '../../../host-protocol.js';
import { allowedBy, TimeBudget, type TimeShare } from '../../../platform/rates/time-budget.js';
import { pause } from '../../../platform/time/clock.js';
import { withFirstAbort } from '../../../platform/time/first-abort.js';
import type { Caller } from '../../room/calls/access.js';
import { CallError, inPrivacyMode } from '../../room/calls/call-error.js';
import { WORK, type CallCost } from '../../room/calls/call-lane.js';
import { canUse } from '../../room/users/can-use.js';
import type { FeatureParts } from '../feature.js';
import { actionOf, batchOf, performBatch, type ActionParts } from './computer-actions.js';
import { shownDialog } from './browser-calls.js';
import { ComputerAgents, type AutomationSettings, type CallingUser } from './computer-agents.js';
import { fieldsOf, type CheckedScreenshot, type Fields } from './computer-arguments.js';
import type { ComputerBrowser } from './computer-browser.js';
import type { PageReading } from './page/page-reading.js';
import type { Screenshots } from './screenshots.js';
import { targetNodes } from './page/target-nodes.js';

/** Cost of a screenshot, which keeps a core of the processor busy for a tenth of a second. */
export const PICTURE: CallCost = { work: 20 };
/**
 * Maximum size of a picture in bytes, for the service and for a viewer. The limit for viewers is smaller,
 * because the picture delays the frames on the viewer's connection.
 */
export const MAX_BYTES = { service: 8 * 1024 * 1024, viewer: 2 * 1024 * 1024 };
/**
 * Time between an action of an agent and its next text of the page. Chromium reports what the action has
 * changed up to 300 ms later. Milliseconds.
 */
const REPORTED_MS = 400;
/** No further step of a batch begins after this time. Milliseconds. */
const BATCH_MS = 40_000;

/**
 * Maximum share of its time that the session spends on screenshots, for all programs together. One picture of
 * a large screen takes long, so the limit allows a burst.
 */
const TIME_OF_PICTURES: TimeShare = { share: 0.3, burstMs: 1_500 };

/** Methods that only read. They do not wait until the agent has control of the browser. */
const READS: ReadonlySet<ComputerMethod> = new Set(['screenshot', 'accessibility', 'files']);
const onlyReads = (method: ComputerMethod, { action = 'list' }: Fields) =>
  READS.has(method) || (method === 'tabs' && action === 'list');

/** File methods for downloads. All other file methods are for uploads. */
const FETCHES: ReadonlySet<string> = new Set(['ticket', 'remove']);

/**
 * Caller of the session's own methods on behalf of a program. During privacy mode, the tab methods refuse
 * this caller.
 */
const AS_PROGRAM = { viewer: undefined, admin: true, program: {} } as const;

/** The methods `computer.*`, by which programs use the browser through the service. */
export class ProgramCalls {
  readonly #agents: ComputerAgents;
  readonly #pictureTime: TimeBudget;
  #settled: () => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly parts: FeatureParts,
    settings: AutomationSettings,
    private readonly screenshots: Screenshots,
    private readonly reading: PageReading,
  ) {
    const { calls, users, clock, endedTokens } = parts;
    this.#pictureTime = new TimeBudget(TIME_OF_PICTURES, () => clock.now());
    this.#agents = new ComputerAgents(users.agents, settings, () => this.#settled(), clock, endedTokens);
    for (const method of COMPUTER_METHODS)
      calls.add(
        `computer.${method}`,
        { access: forPrograms, check: (args) => [fieldsOf(args)], cost: READS.has(method) ? PICTURE : WORK },
        ([fields], caller) => this.#call(method, fieldsOf([fields]), caller),
      );
    for (const method of PROGRAM_FILE_METHODS)
      calls.add(
        `computer.${method}`,
        { access: forPrograms, check: (args) => [fieldsOf(args)], cost: WORK },
        ([fields], { program = {} }) =>
          this.#counted(program, async (user) => {
            const all = fieldsOf([fields]);
            mayUse(user, FETCHES.has(method) ? 'file_download' : 'file_upload');
            const argument = method === 'stage' ? all : all['id'];
            // The types of the session's own results are not checked.
            return (await calls.perform(`files.${method}`, [argument], asAgent(user))) as string & Upload;
          }),
      );
  }

  /** Uses a browser that has started. */
  use({ devices }: ComputerBrowser): void {
    this.#settled = () => devices.sync.settled();
  }

  close(): void {
    this.#agents.close();
  }

  async #call(method: ComputerMethod, fields: Fields, { program = {}, leaving }: Caller) {
    // The arguments are checked before the agent joins.
    const batch = method === 'batch' ? batchOf(fields) : undefined;
    const action = batch ? undefined : actionOf(method, fields);
    return this.#counted(program, async (user) => {
      const parts = this.#partsOf(user, leaving);
      if (action)
        return onlyReads(method, fields) ? action(parts) : user.inOrder(() => action(parts), leaving);
      const until = this.parts.clock.now() + BATCH_MS;
      const isLeft = () => parts.leaving.some(({ aborted }) => aborted);
      const expired = () => isLeft() || this.parts.clock.now() >= until;
      const steps = () => (batch ? performBatch(batch, this.#paced(parts), expired) : []);
      return user.inOrder(async () => ({ steps: await steps() }), leaving);
    });
  }

  /** Performs a call as the agent of a program, and counts it. */
  #counted<T>(program: CallingAgent, call: (user: CallingUser) => Promise<T>): Promise<T> {
    return this.#agents.during(program, async (user) => {
      const { counts } = user.agent;
      counts.command('computer');
      try {
        return await call(user);
      } catch (error) {
        counts.refusal();
        throw error;
      }
    });
  }

  /**
   * Returns the parts for the actions of a batch. With these parts, each screenshot and each accessibility
   * text waits for its turn, like a single call.
   */
  #paced(parts: ActionParts): ActionParts {
    const turn = () => this.parts.calls.programTurn(PICTURE);
    return {
      ...parts,
      screenshot: (options) => turn().then(() => parts.screenshot(options)),
      accessibility: (choice) => turn().then(() => parts.accessibility(choice)),
    };
  }

  /** Takes a screenshot for an agent. Waits until the time limits for screenshots allow the screenshot. */
  async #screenshot(
    { agent, pictureTime }: CallingUser,
    options: CheckedScreenshot,
    mayStillSee: () => void,
  ): Promise<Screenshot> {
    const times = [pictureTime, this.#pictureTime];
    for (const time of times) await allowedBy(time, this.parts.clock);
    const seesMasked = () => canUse(agent, 'field_masking');
    const onWork = (ms: number) => times.forEach((time) => time.use(ms));
    return this.screenshots.take({
      ...{ options, caller: agent, seesMasked, mayStillSee },
      ...{ maxBytes: MAX_BYTES.service, onWork },
    });
  }

  /** Returns the parts of the session that the actions of an agent use. */
  #partsOf(user: CallingUser, leaving: AbortSignal | undefined): ActionParts {
    const { agent, hands } = user;
    const seesMasked = () => canUse(agent, 'field_masking');
    const mayStillSee = () => {
      leaving?.throwIfAborted();
      checkSees(user);
    };
    const ends = [user.left, ...(leaving ? [leaving] : [])];
    return {
      hands,
      nodes: targetNodes(agent, this.reading, mayStillSee, leaving),
      acted: () => (user.actedAt = this.parts.clock.now()),
      screen: () => this.parts.streams.size,
      newestNavigation: () => this.reading.newestNavigation(),
      isLoading: (milliseconds) =>
        withFirstAbort(ends, (first) =>
          this.reading.isLoading(
            milliseconds,
            new Promise((resolve) => first.addEventListener('abort', () => resolve(), { once: true })),
          ),
        ),
      clock: this.parts.clock,
      leaving: ends,
      browser: {
        read: async (role, method, args) => {
          mayUse(user, role);
          const result = await this.parts.calls.perform(method, args, asAgent(user));
          // The agent may have lost the role meanwhile, or another user's privacy mode may have begun.
          mayUse(user, role);
          return result;
        },
        act: async (role, method, args) => {
          mayUse(user, role);
          await agent.act(leaving);
          agent.acted();
          return withFirstAbort(ends, (first) =>
            this.parts.calls.perform(method, args, { ...asAgent(user), leaving: first }),
          );
        },
      },
      screenshot: (options) => this.#screenshot(user, options, mayStillSee),
      accessibility: async (choice) => {
        mayStillSee();
        this.reading.needBrowser();
        const left = user.actedAt + REPORTED_MS - this.parts.clock.now();
        if (left > 0) await pause(this.parts.clock, left);
        const dialog = () =>
          shownDialog((method, args) => this.parts.calls.perform(method, args, AS_PROGRAM));
        const text = await this.reading.text(seesMasked, dialog, choice);
        mayStillSee();
        return text;
      },
    };
  }
}

/**
 * Returns the {@link Caller} with which an agent uses the session's methods. Check the agent's rights before.
 */
function asAgent(acting: CallingUser): Caller {
  return { ...AS_PROGRAM, acting };
}

/** Throws `CallError` if the agent has left, or if another user is in privacy mode. */
function checkSees({ agent, left }: CallingUser): void {
  left.throwIfAborted();
  if (!agent.canRead) throw inPrivacyMode();
}

/** Throws `CallError` if the agent lacks a role, and like {@link checkSees}. */
function mayUse(user: CallingUser, role: Role): void {
  checkSees(user);
  if (canUse(user.agent, role)) return;
  const words = 'Name it in automation.roles when you create the session, or let an admin add it.';
  throw new CallError('err_forbidden', `This needs the role ${role}. ${words}`);
}

/** Throws `CallError` for viewers. Only the service calls these methods, on behalf of a program. */
function forPrograms({ viewer }: Caller): void {
  if (viewer)
    throw new CallError('err_forbidden', 'Only programs call these methods, over HTTP. Users send input.');
}
