import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { CloudBrowserClient } from '../../../src/core/index.js';
import { atEnd } from './cleanup.js';
import type { AttackOutcome } from './hostile-program.js';
import type { PageServer } from './page-server.js';
import { onlyProcess, SESSION_HOST } from './processes.js';
import { RawViewer } from './raw-viewer.js';
import { connectClient } from './sdk-client.js';
import { Service, type Session } from './service.js';
import { until } from './until.js';

const PROGRAM = fileURLToPath(new URL('hostile-program.ts', import.meta.url));
/** Frames that must arrive before the first attack, and after each one. */
const FRAMES = 20;

/** Time in which a program that does not read is disconnected. Milliseconds. */
const DISCONNECTED_MS = 90_000;

/** Kinds of attacks, see `hostile-program.ts`. */
export const ATTACKS = [
  ...(['random', 'commands', 'huge', 'slow'] as const),
  ...(['screenshots', 'many', 'joins', 'requests'] as const),
] as const;
export type AttackKind = (typeof ATTACKS)[number];

/** An attack that has ended. Times are those of `performance.now()`. */
export interface EndedAttack extends AttackOutcome {
  from: number;
  to: number;
  /** Bytes by which the host grew at most. */
  growth: number;
}

/** A session that shows a moving page to a viewer, and that hostile programs attack. */
export class AttackedSession {
  private constructor(
    /** Process of the session's host. */
    private readonly host: number,
    readonly session: Session,
    readonly viewer: RawViewer,
    private readonly client: CloudBrowserClient,
  ) {}

  static async start(pages: PageServer): Promise<AttackedSession> {
    const service = await Service.start();
    const page = pages.page('motion');
    const size = { width: 800, height: 600, fps: 30 };
    const session = await service.create({ start_url: page.url, ...size, automation: true });
    await page.loaded();
    const viewer = await RawViewer.open(session);
    const client = await connectClient(session, session.admin_token);
    await until('frames come', () => viewer.packets.length > FRAMES);
    const { pid } = onlyProcess(service.pid, SESSION_HOST);
    return new AttackedSession(pid, session, viewer, client);
  }

  /**
   * Resolves when an attack has ended, all agents have left, and frames still come.
   *
   * @param slowMs time after which a slow reader leaves; by default after it was disconnected
   */
  async attack(kind: AttackKind, slowMs = Infinity): Promise<EndedAttack> {
    const before = this.#hostBytes();
    let most = before;
    const { go, outcome } = await this.#start(kind);
    const from = performance.now();
    go();
    const ended: { outcome?: AttackOutcome } = {};
    const ending = outcome().then((value) => (ended.outcome = value));
    if (kind === 'slow') await this.#directSlowReader(go, slowMs);
    await until(`the attack ${kind} ends`, () => {
      most = Math.max(most, this.#hostBytes());
      return ended.outcome;
    });
    const result = await ending;
    await until('all agents are gone', async () => (await this.#agents()) === 0);
    const to = performance.now();
    const frames = this.viewer.packets.length;
    await until('frames still come', () => this.viewer.packets.length > frames + FRAMES);
    return { ...result, from, to, growth: most - before };
  }

  /** Frames that arrived in a period. */
  framesIn({ from, to }: { from: number; to: number }): number {
    return this.viewer.packets.filter(({ at, refinement }) => at >= from && at < to && !refinement).length;
  }

  async #directSlowReader(go: () => void, slowMs: number): Promise<void> {
    await until('the agent has joined', async () => (await this.#agents()) === 1);
    go();
    const began = performance.now();
    const isOver = async () => performance.now() - began > slowMs || (await this.#agents()) === 0;
    await until('the agent is disconnected', isOver, DISCONNECTED_MS);
    go();
  }

  /** Starts an attack in a process of its own. Resolves when it is ready, so its start is not measured. */
  async #start(kind: AttackKind): Promise<{ go: () => void; outcome: () => Promise<AttackOutcome> }> {
    const program = [process.execPath, '--import', 'tsx', PROGRAM, this.session.cdp_url ?? '', kind];
    // Attackers have machines of their own. So the attack gets only time that the session does not need.
    const child = spawn('nice', ['-n', '19', ...program], { stdio: ['pipe', 'pipe', 'inherit'] });
    atEnd(() => child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await lines.next();
    const go = () => void child.stdin.write('go\n');
    const outcome = async () => {
      const { value } = (await lines.next()) as IteratorResult<string, undefined>;
      if (child.exitCode === null) await once(child, 'exit');
      return JSON.parse(value ?? '') as AttackOutcome;
    };
    return { go, outcome };
  }

  async #agents(): Promise<number> {
    return (await this.client.users.list()).filter(({ kind }) => kind === 'agent').length;
  }

  #hostBytes(): number {
    // All processes are not read, because that would take time from the viewer in this process.
    const status = readFileSync(`/proc/${this.host}/status`, 'utf8');
    return Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1]) * 1024;
  }
}
