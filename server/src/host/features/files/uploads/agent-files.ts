import type { InputEvent } from 'cloud-browser/protocol';
import type { Clock } from '../../../../platform/time/clock.js';
import { withTimeout } from '../../../../platform/time/timeout.js';
import type { BrowserFiles } from '../../../browser/files/browser-files.js';
import type { PageChooser } from '../../../browser/files/choosers.js';
import { wrong } from '../../../room/calls/arguments.js';
import type { ActingAgent } from '../../../room/calls/access.js';
import { CallError } from '../../../room/calls/call-error.js';
import { canUse, type RightsHolder } from '../../../room/users/can-use.js';
import { agentMay, type FileRole } from '../file-access.js';
import { AgentChoosers, chooserGone } from './agent-choosers.js';
import type { FileCopies } from './file-copies.js';
import { KeptFiles } from './kept-files.js';
import { opensChoosers } from './open-choosers.js';
import type { Uploads } from './uploads.js';

/** Maximum time for which an agent waits until a busy page has received its empty choice. Milliseconds. */
const EMPTY_CHOICE_TIMEOUT_MS = 5_000;

/** An agent that may have opened a file chooser. */
type ChoosingAgent = RightsHolder & { readonly id: string; readonly canRead: boolean };

/** Files that agents give to pages. An agent names uploads and downloads by their ids. */
export class AgentFiles {
  readonly kept: KeptFiles;
  readonly #choosers: AgentChoosers;
  #actor: ChoosingAgent | undefined;

  /**
   * @param agent returns an agent that has not left
   * @param checkPrint throws `CallError` if a download is a printed page that the agent may not read
   */
  constructor(
    uploads: Uploads,
    private readonly copies: Pick<FileCopies, 'pathOf'>,
    private readonly agent: (id: string) => ChoosingAgent | undefined,
    clock: Clock,
    private readonly checkPrint: (agent: RightsHolder, id: string) => void = () => undefined,
  ) {
    this.kept = new KeptFiles(uploads, clock);
    this.#choosers = new AgentChoosers(clock);
  }

  /**
   * The agent that acted last, if no user has acted since. The next file request of a page goes to this
   * agent.
   */
  get actor(): ChoosingAgent | undefined {
    return this.#actor;
  }

  /** True if any file is kept, or any chooser is open. */
  get any(): boolean {
    return this.kept.any || this.#choosers.any;
  }

  /** Records input of an agent. */
  acted(agent: ChoosingAgent, event: InputEvent): void {
    if (opensChoosers(event)) this.#actor = agent;
  }

  /** Records that a user acted. The next file request of a page is not for an agent. */
  userActed(): void {
    this.#actor = undefined;
  }

  /**
   * Opens a chooser for an agent. Resolves to false if there is no agent, or if the agent may not give files
   * to this field.
   */
  async ask(
    agent: ChoosingAgent | undefined,
    chooser: PageChooser,
    files: Pick<BrowserFiles, 'isMasked'>,
  ): Promise<boolean> {
    if (!agent || !agentMay(agent, 'file_upload')) return false;
    if (!canUse(agent, 'field_masking') && (await files.isMasked(chooser))) return false;
    this.#choosers.open(agent.id, chooser);
    return true;
  }

  /**
   * Gives files to the page whose file chooser waits for this agent. Without ids, the page gets an empty
   * choice. Rejects with {@link CallError}.
   *
   * @param milliseconds maximum wait for a chooser
   * @param leaving aborted with an error when the client of the call has gone, or when the agent has left
   */
  async choose(
    { agent }: ActingAgent,
    ids: readonly string[],
    milliseconds: number,
    leaving?: AbortSignal,
  ): Promise<void> {
    const chooser = await this.#choosers.wait(agent.id, milliseconds, leaving);
    if (chooser.directory && ids.length > 0)
      throw new CallError('err_call_failed', 'The page wants a folder. Choose no files, or ask a person.');
    if (!chooser.multiple && ids.length > 1) throw wrong('files', 'one id, because the page takes one file');
    for (const id of ids) this.checkPrint(agent, id);
    const paths = await Promise.all(ids.map((id) => this.#pathOf(agent, id)));
    const needed: FileRole[] = ['file_upload'];
    if (!ids.every((id) => this.kept.pathOf(id))) needed.push('file_download');
    const late = () => Promise.reject(chooserGone());
    const act = () =>
      ids.length > 0 ? chooser.give(paths) : withTimeout(chooser.cancel(), EMPTY_CHOICE_TIMEOUT_MS, late);
    const given = await agent.perform(() => {
      leaving?.throwIfAborted();
      // An admin may have changed the roles while the files were copied, or while a person had control.
      const lost = needed.find((role) => !agentMay(agent, role));
      if (lost) throw new CallError('err_forbidden', `The program needs the role ${lost} to give the files.`);
      for (const id of ids) this.checkPrint(agent, id);
      return act().then(
        () => true,
        () => false,
      );
    });
    chooser.close();
    if (!given) throw chooserGone();
    for (const id of ids) this.kept.usedBy(id, chooser.page.ended);
  }

  /** Applies all timeouts. Call it once a second while {@link any} is true. */
  look(): void {
    this.kept.look();
    this.#choosers.look((id) => {
      const agent = this.agent(id);
      return agent !== undefined && agentMay(agent, 'file_upload');
    });
  }

  /** Closes the choosers of a browser that has ended. */
  browserIsGone(): void {
    this.#choosers.close();
  }

  async #pathOf(agent: RightsHolder, id: string): Promise<string> {
    const path = this.kept.pathOf(id);
    if (path !== undefined) return path;
    if (canUse(agent, 'file_download')) return this.copies.pathOf(id);
    throw new CallError(
      'err_upload_gone',
      `There is no upload ${id}. Downloads need the role file_download.`,
    );
  }
}
