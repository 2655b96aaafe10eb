import type { CdpConnection } from '../../browser/cdp/cdp-connection.js';
import type { AgentUser } from './programs/agent-user.js';
import { BrowserLink, type LinkListener } from './browser-link.js';
import type { HeldInput } from './held-input.js';
import type { ProgramQueue } from './commands/lone-commands.js';
import { keepDark } from './commands/dark-pages.js';
import { actOf, canPaste } from './commands/input-acts.js';
import { eventText, RefusedCommand, resultText, type ClientCommand } from './commands/messages.js';
import { checkParameters } from './commands/parameter-checks.js';
import type { PendingCommands } from './commands/pending-commands.js';
import { refuseHugePage, showsWholePage } from './commands/picture-limits.js';
import { errorOf, isEmpty } from './commands/refusals.js';
import { keepsTouch } from './commands/touch-emulation.js';
import { maskRule } from './mask-rule.js';
import { classOf } from './methods/method-class.js';
import { isUnknown, ruleOf } from './methods/method-table.js';
import { actsNow, movesFocus, needsControl, type MethodRow } from './methods/method-row.js';
import { OwnCommands, type OwnEffects } from './commands/own-commands.js';
import { PersonRequests } from './person-requests.js';
import { isPrivateTime, lacksRight, letGoInstead, privateAnswer, privateTime } from './private-time.js';
import type { TimeBudget } from '../../../platform/rates/time-budget.js';
import type { ShownPointer } from './shown-pointer.js';
import { ProgramState } from './programs/program-state.js';
import { BROWSER } from './targets/target-map.js';
import { TargetEvents } from './targets/target-events.js';
import { TargetCommands } from './targets/target-commands.js';
import { ofOwnWorlds } from './targets/world-filter.js';

/** Maximum number of a program's commands that wait for an answer. */
const MAX_PENDING = 1_000;

/** Dependencies of a {@link Relay}. */
export interface RelayParts extends OwnEffects {
  cdp: CdpConnection;
  agent: AgentUser;
  /** True if the session has masked fields. */
  masks: boolean;
  /** True if the pages of the session are dark. */
  dark: boolean;
  /** Returns true if a user of the session is or was in privacy mode. */
  hadPrivacy: () => boolean;
  /** Returns the number of pixels of the screen per CSS pixel. */
  pixelRatio: () => number;
  /** Queue of the program's expensive commands, such as screenshots. */
  alone: ProgramQueue;
  /** Time that the browser may spend on the large answers of all programs together. */
  largeTime: TimeBudget;
  held: HeldInput;
  shown: Pick<ShownPointer, 'moved'>;
  /** Sends an answer of the browser to the program. */
  answer: (text: string) => void;
  /** Called when the browser has ended. */
  onClosed: () => void;
  /** Called for a method without a rule. */
  onUnknown: (method: string) => void;
  /** Called for a command that was refused, with the reason. */
  onRefused: (method: string, reason: string) => void;
}

/**
 * Relays the DevTools protocol between one program and the browser. It emulates a browser that has only the
 * pages of the session. A table of methods decides about every command.
 */
export class Relay {
  readonly state = new ProgramState();
  readonly #events: TargetEvents;
  readonly #targets: TargetCommands;
  readonly #own: OwnCommands;

  private constructor(
    private readonly parts: RelayParts,
    private readonly link: BrowserLink,
  ) {
    const { agent, send, held, masks } = parts;
    this.#events = new TargetEvents(this.state, link, {
      send,
      canRead: () => agent.canRead,
      hadPrivacy: parts.hadPrivacy,
      fetchesFiles: () => agent.fetchesFiles,
      mayAct: () => agent.mayAct,
      readsMasked: () => !masks || agent.opensMasked,
      onSessionEnded: (sessionId) => held.forget(sessionId),
    });
    this.#targets = new TargetCommands(this.state, link, send);
    this.#own = new OwnCommands(this.state, link, parts, new PersonRequests(agent, send));
  }

  /** Opens the program's session with the browser. Rejects with `CdpError`. */
  static async open(parts: RelayParts): Promise<Relay> {
    const opened: { relay?: Relay } = {};
    const listener: LinkListener = {
      onAnswer: (text, command) => opened.relay?.onAnswer(text, command),
      onEvent: (message) => opened.relay?.onEvent(message),
      onClosed: () => parts.onClosed(),
    };
    const link = await BrowserLink.open(parts.cdp, listener, parts.largeTime);
    const relay = new Relay(parts, link);
    opened.relay = relay;
    parts.agent.use(relay);
    parts.agent.onControlReturned = (returned) => relay.#tell('CloudBrowser.controlReturned', returned);
    // The relay needs events about all targets, because the type and the address of a target decide if
    // programs can reach it. The browser reports the existing targets before it answers this command. So the
    // program's first command already finds them.
    await link.ask('Target.setDiscoverTargets', { discover: true, filter: [{}] }, link.root);
    return relay;
  }

  /** False during another user's privacy mode. */
  get canRead(): boolean {
    return this.parts.agent.canRead;
  }

  /** Commands that wait for their turn or for the browser. */
  get pending(): Pick<PendingCommands, 'accepts' | 'size'> {
    return this.link.pending;
  }

  /** Returns false if a command must wait for answers to earlier commands. */
  hasRoom({ method, sessionId }: ClientCommand): boolean {
    return this.link.pending.hasRoom(method, sessionId ?? this.link.root);
  }

  /**
   * Handles a command. Resolves when it was passed on or answered. A command that waits for control may
   * resolve long after later commands.
   *
   * @param size characters of the command
   */
  async take(sent: ClientCommand, size: number): Promise<void> {
    const { agent, dark } = this.parts;
    const wished = dark ? keepDark(sent, this.state, agent.mayAct) : sent.params;
    const idleNames = agent.mayAct ? undefined : this.state.idleWorlds;
    const command = { ...sent, params: ofOwnWorlds(sent.method, wished, idleNames) };
    const { counts } = agent;
    counts.command(classOf(command.method));
    try {
      await this.#dispatch(command, size);
    } catch (error) {
      counts.refusal();
      this.#events.traces.answered(command);
      this.parts.onRefused(command.method, error instanceof Error ? error.message : String(error));
      const isPrivate = isPrivateTime(error, this.canRead);
      if (isPrivate || lacksRight(error)) letGoInstead(this.link, command);
      this.parts.send(isPrivate ? privateAnswer(command) : errorOf(command, error));
    }
  }

  onAnswer(text: string, command: ClientCommand): void {
    this.#events.contexts.answered(command, text);
    this.#events.traces.answered(command);
    this.parts.answer(this.#refusalInstead(command, text) ?? text);
  }

  onEvent(message: Parameters<TargetEvents['take']>[0]): void {
    this.#events.take(message);
  }

  /** Makes the browser forget what it has kept for the program in a privacy mode that has just ended. */
  privacyEnded(): void {
    this.#events.traces.remove();
  }

  /** True if the program holds a key, a button or a finger. */
  get holdsAny(): boolean {
    return this.parts.held.any;
  }

  /**
   * Releases the keys, buttons and fingers that the program holds. Resolves when the pages have received the
   * releases.
   */
  async release(): Promise<void> {
    const releases: Promise<void>[] = [];
    this.parts.held.releaseAll((method, params, sessionId) =>
      releases.push(this.link.ask(method, params, sessionId)),
    );
    await Promise.all(releases);
  }

  /** Releases the keys, buttons and fingers that the program holds, and ends its CDP sessions. */
  close(): void {
    void this.release();
    this.link.close();
  }

  async #dispatch(command: ClientCommand, size: number): Promise<void> {
    const rule = ruleOf(command.method, command.params);
    if (rule.kind === 'refused') throw this.#refusalOf(command.method, rule.reason, isUnknown(rule));
    this.#check(command, rule);
    const answer = this.#effectless(command, rule);
    if (answer) {
      this.parts.send(resultText(command, answer));
      return;
    }
    if (this.link.pending.count >= MAX_PENDING)
      throw new RefusedCommand('refused', `At most ${MAX_PENDING} commands may wait. Await their answers.`);
    const { agent, alone } = this.parts;
    const begins = this.link.pending.hold(size);
    const run = () => this.#run(command, rule, size, begins);
    const lone = rule.kind === 'forwarded' && rule.alone === true;
    try {
      if (lone && alone.full) throw new RefusedCommand('refused', 'Too many screenshots wait. Try again.');
      if (!actsNow(command, rule)) await (lone ? alone.run(run) : run());
      // A person who takes control waits until the program's running input and scripts have ended, because
      // these commands may move the focus. The person does not wait until a navigation has ended.
      else if (canPaste(command.method, command.params))
        await agent.perform(async () => {
          await agent.removePasteOfOthers();
          await run();
        });
      else if (command.method.startsWith('Input.') || movesFocus(command, rule)) await agent.perform(run);
      else {
        await agent.act();
        await run();
      }
    } finally {
      begins();
    }
  }

  /** Checks the CDP session and the parameters of a command. Throws {@link RefusedCommand}. */
  #check(command: ClientCommand, { kind, ...row }: Exclude<MethodRow, { kind: 'refused' }>) {
    const { method, sessionId } = command;
    if (sessionId !== undefined && !this.state.targets.session(sessionId))
      throw new RefusedCommand('noSession', 'Session with given id not found.');
    const level = this.state.targets.isBrowser(sessionId) ? 'browser' : 'target';
    if (row.level !== 'both' && row.level !== level)
      throw new RefusedCommand('unknownMethod', `'${method}' wasn't found`);
    checkParameters(command, this.parts.pixelRatio());
    if (kind === 'forwarded' && sessionId !== undefined) this.#events.contexts.check(command);
    this.#events.traces.check(command);
    if (kind !== 'accepted' && !this.parts.agent.canRead) throw privateTime();
  }

  /** Returns an answer if the command must have no effect. Throws {@link RefusedCommand}. */
  #effectless(command: ClientCommand, rule: Exclude<MethodRow, { kind: 'refused' }>): object | undefined {
    if (rule.kind === 'accepted') return rule.result;
    if (keepsTouch(command, this.state, this.parts.agent.mayAct)) return {};
    return this.#masked(command, rule);
  }

  /**
   * Applies the rule for masked fields. Returns an answer if the command must have no effect, and undefined
   * if the relay may perform the command. Throws {@link RefusedCommand} if the command could reach a masked
   * field.
   */
  #masked({ method, params }: ClientCommand, rule: MethodRow): object | undefined {
    const { agent, masks } = this.parts;
    const decision = masks && !agent.opensMasked ? maskRule(method, params, rule) : 'performed';
    if (typeof decision === 'object') throw new RefusedCommand('forbidden', decision.reason);
    return decision === 'answered' ? {} : undefined;
  }

  /**
   * Checks a command that may have waited. In that time, its CDP session or its context may have ended, an
   * admin may have changed the roles, or privacy mode may have begun. Throws {@link RefusedCommand}.
   */
  #checkAgain(command: ClientCommand, rule: MethodRow): void {
    const { sessionId } = command;
    if (sessionId !== undefined && !this.state.targets.session(sessionId))
      throw new RefusedCommand('noSession', 'Session with given id not found.');
    if (!this.parts.agent.canRead) throw privateTime();
    this.#masked(command, rule);
    if (needsControl(command, rule)) this.parts.agent.checkControl();
    if (rule.kind === 'forwarded') this.#events.contexts.checkReported(command);
  }

  async #run(command: ClientCommand, rule: MethodRow, size: number, begins: () => void): Promise<void> {
    const { method, params, sessionId } = command;
    const { agent, held } = this.parts;
    this.#checkAgain(command, rule);
    const unreported = rule.kind === 'forwarded' ? this.#events.contexts.checkUnreported(command) : undefined;
    if (unreported) {
      await unreported;
      this.#checkAgain(command, rule);
    }
    const session = sessionId ?? this.link.root;
    if (showsWholePage(command)) {
      const metrics = await this.link.query('Page.getLayoutMetrics', {}, session);
      this.#checkAgain(command, rule);
      refuseHugePage(command, metrics, this.parts.pixelRatio());
    }
    begins();
    agent.acted();
    if (rule.kind === 'synthesised') {
      const handled = this.#targets.take(command) ?? this.#own.take(command, size);
      if (!handled) throw this.#refusalOf(method, 'It is not supported.', false);
      await handled;
      return;
    }
    // The host already released the key or button when a person took control.
    if (held.wasReleased(method, params, session)) {
      this.parts.send(resultText(command, {}));
      return;
    }
    const target = method === 'Input.dispatchMouseEvent' ? this.state.targets.session(session) : undefined;
    if (target) this.parts.shown.moved(target.targetId, params['x'], params['y']);
    const act = actOf(method, params);
    const page = act && this.state.targets.session(session)?.targetId;
    if (act) agent.performs({ event: act, ...(page !== undefined && { page }) });
    held.note(method, params, session);
    this.#events.contexts.sent(method, session);
    this.#events.traces.sent(command, session);
    await this.link.forward(command, { method, params, sessionId: session }, size);
  }

  /**
   * Returns the refusal for the answer to a command that began before the program lost a right: before the
   * privacy mode of another user, or before an admin took the role for control or for masked fields. A script
   * can wait in a page for that moment, and return what the page contains then. Undefined if the program may
   * receive the answer. An answer without content reveals nothing, and its command has taken effect.
   */
  #refusalInstead(command: ClientCommand, text: string): string | undefined {
    if (!this.canRead) return privateAnswer(command);
    if (isEmpty(text)) return undefined;
    const rule = ruleOf(command.method, command.params);
    try {
      this.#masked(command, rule);
      if (needsControl(command, rule)) this.parts.agent.checkControl();
      return undefined;
    } catch (error) {
      return errorOf(command, error);
    }
  }

  /** Sends an event to the program, in its sessions with the browser and with pages. */
  #tell(method: string, params: object): void {
    this.parts.send(eventText(method, params));
    for (const { id, type } of this.state.targets.sessions())
      if (type === 'page' || type === BROWSER) this.parts.send(eventText(method, params, id));
  }

  #refusalOf(method: string, reason: string, unknown: boolean): RefusedCommand {
    if (!unknown) return new RefusedCommand('refused', `${method} is refused. ${reason}`);
    this.parts.onUnknown(method);
    return new RefusedCommand('unknownMethod', `'${method}' wasn't found. ${reason}`);
  }
}
