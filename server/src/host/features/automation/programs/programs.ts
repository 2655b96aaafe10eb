import type { Socket } from 'node:net';
import type { InputEvent } from 'cloud-browser/protocol';
import type { WebSocket } from 'ws';
import type { AutomationHandover, TokenEnd } from '../../../../host-protocol.js';
import { repeat, type Repetition } from '../../../../platform/time/repeat.js';
import type { Clock } from '../../../../platform/time/clock.js';
import type { CdpConnection } from '../../../browser/cdp/cdp-connection.js';
import type { Bridge } from '../../../browser/bridge/bridge.js';
import type { Pages } from '../../../browser/pages/pages.js';
import type { BrowserFiles } from '../../../browser/files/browser-files.js';
import type { AgentUser } from './agent-user.js';
import { TOKEN_END_SENTENCES } from '../../../room/ended-tokens.js';
import { ProgramEntrance } from './entrance.js';
import { HeldInput } from '../held-input.js';
import { isRecord } from '../../../../platform/is-record.js';
import { eventText } from '../commands/messages.js';
import { LoneCommands } from '../commands/lone-commands.js';
import { CLOSE_CODES, Program } from './program.js';
import { SharedPace } from './program-pace.js';
import { ShownPointer } from '../shown-pointer.js';
import { Relay } from '../relay.js';

/** Maximum number of programs that drive a session at the same time. */
const MAX_PROGRAMS = 20;
/**
 * Time between two pings. A program that has sent nothing by the next ping is disconnected. Milliseconds.
 */
const PING_MS = 20_000;
/** Maximum number of unknown methods that are logged, and of refused commands that are logged. */
const MAX_LOGGED = 100;
/** Maximum number of characters of a method or a reason in the log. The rest is cut. */
const MAX_LOGGED_CHARS = 200;

/** The browser that programs drive. */
export interface ProgramBrowser {
  readonly cdp: CdpConnection;
  readonly bridge: Pick<Bridge, 'call'>;
  readonly devices: {
    readonly pages: Pick<
      Pages,
      'emulatedFocus' | 'frame' | 'front' | 'geometry' | 'mainFrame' | 'ofTarget' | 'pixelRatio'
    >;
  };
  readonly files: Pick<BrowserFiles, 'downloads' | 'pathOf' | 'uploadOf'>;
}

const DOWNLOAD_EVENTS = ['Browser.downloadWillBegin', 'Browser.downloadProgress'] as const;

/** Parts of a session that {@link Programs} uses. */
export interface ProgramsParts {
  clock: Clock;
  /** Adds a program as a user of the session. Throws `CallError`. */
  join: (client: AutomationHandover) => AgentUser;
  /** True if the session has masked fields. */
  masks: boolean;
  /** True if the pages of the session are dark. */
  dark: boolean;
  /** Returns the reason why a token has ended. Undefined if the token is valid. */
  endOf: (tokenId: string | undefined) => TokenEnd | undefined;
  log: (level: 'info' | 'warn', message: string, fields: Record<string, unknown>) => void;
}

interface Connected {
  readonly program: Program;
  readonly socket: WebSocket;
  readonly tokenId: string | undefined;
  /** User id that the program has requested. */
  readonly userId: string;
  /** True if the program has sent a pong or a message since the last ping. */
  answered: boolean;
  /** True if the host has read the socket since the last ping. */
  heard: boolean;
  agent?: AgentUser;
  /** Resolves to the relay, or rejects. Undefined for a program that was refused. */
  opening?: Promise<Relay>;
  /** The result of {@link opening}. */
  relay?: Relay;
}

/** The programs that drive a session over the DevTools protocol. */
export class Programs {
  readonly #entrance = new ProgramEntrance();
  readonly #connected = new Set<Connected>();
  readonly #alone: LoneCommands;
  readonly #logged = new Set<string>();
  readonly #refused = new Set<string>();
  readonly #pings: Repetition;
  readonly #pace = new SharedPace(() => performance.now());
  #browser: ProgramBrowser | undefined;
  #closed = false;
  /** True while a user is in privacy mode. */
  #isPrivate = false;
  /** True if a user is or was in privacy mode. */
  #hadPrivacy = false;

  constructor(private readonly parts: ProgramsParts) {
    this.#alone = new LoneCommands(parts.clock);
    this.#pings = repeat(parts.clock, { every: PING_MS, first: Infinity }, () => this.#ping());
  }

  /** True while a program is connected. */
  get any(): boolean {
    return this.#connected.size > 0;
  }

  /** Uses a browser that has started or restarted. */
  use(browser: ProgramBrowser): void {
    this.#browser = browser;
    browser.devices.pages.emulatedFocus.findFront = async () =>
      frontOf(await browser.bridge.call('listPages'));
    for (const event of DOWNLOAD_EVENTS)
      browser.cdp.browser.on(event, (params) => this.#onDownload(event, params));
  }

  /** Disconnects all programs, because the browser has ended. Another browser may start later. */
  browserIsGone(): void {
    this.#browser = undefined;
    this.#closeAll(CLOSE_CODES.goingAway, 'The browser has ended. It is being started again. Connect again.');
  }

  /** Makes programs wait for a moment, because a person acted. */
  personActed(event: InputEvent): void {
    this.#pace.people.acted(event);
  }

  /** Records that a user is in privacy mode, or that no user is. Call it before a program's next command. */
  privacy(isPrivate: boolean): void {
    const hasEnded = this.#isPrivate && !isPrivate;
    this.#isPrivate = isPrivate;
    this.#hadPrivacy ||= isPrivate;
    if (hasEnded) for (const { relay } of this.#connected) relay?.privacyEnded();
  }

  /** Takes over the TCP connection of a program that the service has admitted. */
  take(client: AutomationHandover, socket: Socket): void {
    this.#entrance.take(client, socket, (webSocket) => this.#enter(client, webSocket));
  }

  /** Disconnects the programs that have connected with a token. */
  tokenEnded(tokenId: string, reason: TokenEnd): void {
    for (const one of [...this.#connected])
      if (one.tokenId === tokenId) one.program.close(CLOSE_CODES.policy, TOKEN_END_SENTENCES[reason]);
  }

  /** Disconnects all programs, because the session ends. */
  close(): void {
    this.#closed = true;
    this.#closeAll(CLOSE_CODES.goingAway, 'The session has ended.');
    this.#pings.stop();
  }

  /** Lets a program drive the session, or closes its connection with the reason. */
  #enter(client: AutomationHandover, socket: WebSocket): void {
    const connected = this.#connectionOf(client, socket);
    const { program } = connected;
    const browser = this.#closed ? undefined : this.#browser;
    if (!browser) {
      program.close(CLOSE_CODES.goingAway, 'The session has no browser now. Connect again in a moment.');
      return;
    }
    const refusal = this.#refusalOf(client);
    if (refusal !== undefined) {
      program.close(CLOSE_CODES.policy, refusal);
      return;
    }
    let agent: AgentUser;
    try {
      agent = this.parts.join(client);
    } catch (error) {
      program.close(CLOSE_CODES.policy, error instanceof Error ? error.message : String(error));
      return;
    }
    connected.agent = agent;
    agent.onKicked = (reason) => program.close(CLOSE_CODES.policy, reason);
    this.#connected.add(connected);
    for (const sign of ['pong', 'message']) socket.on(sign, () => (connected.answered = true));
    this.#pings.wake();
    connected.opening = this.#open(browser, program, agent);
    connected.opening.then(
      (relay) => (connected.relay = relay),
      () => program.close(CLOSE_CODES.failed, 'The browser did not answer. Connect again.'),
    );
  }

  /** Returns the reason why a program may not drive the session. Undefined if it may. */
  #refusalOf({ tokenId, userId }: AutomationHandover): string | undefined {
    const ended = this.parts.endOf(tokenId);
    if (ended) return TOKEN_END_SENTENCES[ended];
    const replaces = [...this.#connected].some((other) => other.userId === userId);
    if (this.#connected.size < MAX_PROGRAMS || replaces) return undefined;
    return `At most ${MAX_PROGRAMS} programs may drive a session. Disconnect one first.`;
  }

  /** Starts to read the commands of a program. They wait until its relay is open. */
  #connectionOf(client: AutomationHandover, socket: WebSocket): Connected {
    const connected: Connected = {
      socket,
      tokenId: client.tokenId,
      userId: client.userId,
      answered: true,
      heard: true,
      program: new Program(
        socket,
        {
          onCommand: (command, size) => {
            if (connected.relay) void connected.relay.take(command, size);
            else
              void connected.opening?.then(
                (relay) => relay.take(command, size),
                () => undefined,
              );
          },
          accepts: (size, method) => connected.relay?.pending.accepts(size, method) ?? true,
          hasRoom: (command) => connected.relay?.hasRoom(command) ?? true,
          onGone: () => {
            this.#connected.delete(connected);
            connected.opening?.then(
              (relay) => relay.close(),
              () => undefined,
            );
            this.#browser?.devices.pages.emulatedFocus.leave(connected.program);
            connected.agent?.leave();
          },
        },
        this.#pace,
      ),
    };
    return connected;
  }

  #open(browser: ProgramBrowser, program: Program, agent: AgentUser): Promise<Relay> {
    return Relay.open({
      ...{ cdp: browser.cdp, agent, alone: this.#alone.ofProgram(), held: new HeldInput() },
      largeTime: this.#pace.largeAnswers,
      ...{ masks: this.parts.masks, dark: this.parts.dark, hadPrivacy: () => this.#hadPrivacy },
      pixelRatio: () => browser.devices.pages.pixelRatio,
      shown: new ShownPointer(browser.devices.pages, this.parts.clock, (x, y) => agent.pointer(x, y)),
      send: (text) => program.send(text),
      answer: (text) => program.answer(text),
      onClosed: () => program.close(CLOSE_CODES.goingAway, 'The browser has ended. Connect again.'),
      onLeave: () => program.close(CLOSE_CODES.done, 'The program has closed the browser.'),
      onUnknown: (method) => this.#logUnknown(method),
      onRefused: (method, reason) => {
        program.refused();
        this.#logRefused(agent.id, method, reason);
      },
      emulateFocus: (target, enabled) => browser.devices.pages.emulatedFocus.set(target, program, enabled),
      cancelDownload: (id) => browser.files.downloads.cancel(id),
      pathOf: (id) => browser.files.pathOf(id),
      uploadOf: (id, target = '') => {
        const { pages } = browser.devices;
        return browser.files.uploadOf(id, (pages.ofTarget(target) ?? pages.frame(target))?.ended);
      },
    });
  }

  #onDownload(event: string, params: object): void {
    for (const { program, relay, agent } of this.#connected)
      if (relay?.canRead && agent?.fetchesFiles)
        for (const sessionId of relay.state.downloads) program.send(eventText(event, params, sessionId));
  }

  #logUnknown(method: string): void {
    if (this.#logged.has(method) || this.#logged.size >= MAX_LOGGED) return;
    this.#logged.add(method);
    this.parts.log('warn', 'a program called a method that is not supported', { method });
  }

  /** Logs the first refusal of each method and program, for audits. */
  #logRefused(user: string, method: string, reason: string): void {
    const name = method.slice(0, MAX_LOGGED_CHARS);
    const refused = `${user} ${name}`;
    if (this.#refused.has(refused) || this.#refused.size >= MAX_LOGGED) return;
    this.#refused.add(refused);
    const fields = {
      audit: 'command refused',
      user,
      method: name,
      reason: reason.slice(0, MAX_LOGGED_CHARS),
    };
    this.parts.log('info', 'a command of a program was refused', fields);
  }

  #ping(): void {
    for (const one of [...this.#connected]) {
      const { socket, program } = one;
      if (one.heard && !one.answered) socket.terminate();
      one.answered = false;
      // The host does not read the socket while the program's commands wait. `listen` makes the host read, so
      // that a pong can arrive. Otherwise a program that has vanished would stay until its TCP connection
      // fails.
      one.heard = program.listen();
      if (socket.readyState === socket.OPEN) socket.ping();
    }
    if (this.#connected.size === 0) this.#pings.runIn(Infinity);
  }

  #closeAll(code: number, reason: string): void {
    for (const { program } of [...this.#connected]) program.close(code, reason);
  }
}

/** Returns the target id of the active tab from the list that the project's extension returns. */
function frontOf(tabs: unknown): string | undefined {
  if (!Array.isArray(tabs)) return undefined;
  const front: unknown = tabs.find((tab) => isRecord(tab) && tab['front'] === true);
  return isRecord(front) && typeof front['target'] === 'string' ? front['target'] : undefined;
}
