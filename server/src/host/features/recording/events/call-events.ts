import type { SessionEvent, SessionMethod } from 'cloud-browser/protocol';
import { fieldsOf } from '../../../room/calls/arguments.js';
import type { EventLog } from './event-log.js';
import type { LaterFields } from './event-queue.js';

/** Maximum length of a file's name in an event. Longer names are cut. */
const MAX_NAME_CHARS = 255;
/** Number of file choosers that are remembered, so that each is written once. */
const MAX_CHOOSERS = 100;

/**
 * Writes the calls and the published events of a session into its recording. Ignores those that a recording
 * does not show.
 */
export class CallEvents {
  readonly #choosers = new Set<string>();

  /**
   * @param lastToAct returns the person who acted last
   * @param listPages returns the tabs of the browser, each with its id and its target
   */
  constructor(
    private readonly log: Pick<EventLog, 'about' | 'publicly'>,
    private readonly lastToAct: () => string | undefined,
    private readonly listPages: () => Promise<unknown>,
  ) {}

  /** Handles an event that the session publishes to its viewers. */
  published(name: SessionEvent, [first]: readonly unknown[]): void {
    const fields = fieldsOf(first);
    switch (name) {
      case 'clipboard.onCopied': {
        const user = this.lastToAct();
        return this.log.publicly({ type: 'copy', ...(user !== undefined && { user }) });
      }
      case 'files.onChooser':
        return this.#chooser(String(fields['id']));
      case 'tabs.onActivated':
        return this.log.publicly({ type: 'tab_activated' }, this.#tabOf(fields['tabId']));
      case 'files.onDownload':
        return this.#download(fields);
      default:
        return undefined;
    }
  }

  /** Handles a call that was carried out. `user` is undefined for calls of a backend. */
  performed(method: SessionMethod, [first, second]: readonly unknown[], user: string | undefined): void {
    const by = user === undefined ? {} : { user };
    if (method === 'files.finish' || method === 'files.choose') this.log.publicly({ type: 'upload', ...by });
    else if (method === 'dialogs.answer' || method === 'answerDialog')
      this.log.publicly({ type: 'dialog_answered', ...by, accepted: fieldsOf(second)['accept'] === true });
    else if (method === 'accessibility.act' && (second === 'set' || second === 'focus'))
      this.log.publicly({ type: 'accessible_action', ...by, action: second });
    else if (method === 'control.request') this.log.about({ type: 'control_requested', ...by });
    else if (method === 'kick') this.log.about({ type: 'user_removed', ...by, removed: String(first) });
  }

  #download({ id, name, state, size }: Record<string, unknown>): void {
    // The progress of a download is not recorded.
    if (state !== 'running') this.log.publicly({ type: 'download', id, file: cut(name), state, size });
  }

  #chooser(id: string): void {
    // A viewer that reconnects receives the same chooser again.
    if (this.#choosers.has(id)) return;
    if (this.#choosers.size >= MAX_CHOOSERS) this.#choosers.clear();
    this.#choosers.add(id);
    this.log.publicly({ type: 'file_chooser' });
  }

  /** Returns the id of a tab's CDP target as a field of an event. */
  async #tabOf(tabId: unknown): Promise<LaterFields> {
    const tabs = await this.listPages();
    if (!Array.isArray(tabs)) return undefined;
    const tab = fieldsOf(tabs.find((each: unknown) => fieldsOf(each)['tabId'] === tabId))['target'];
    return typeof tab === 'string' ? { tab } : undefined;
  }
}

function cut(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_NAME_CHARS) : '';
}
