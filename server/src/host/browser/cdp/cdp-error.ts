/**
 * Why a command has no answer: the browser said no, did not answer before the deadline, let go of the target (a page that was
 * closed, a worker that stopped), lost the target's process, or is gone itself; or the page has a dialog open.
 */
export type CdpFailure = 'refused' | 'timed-out' | 'dialog' | 'detached' | 'crashed' | 'closed';

const SENTENCES: Record<CdpFailure, string> = {
  refused: 'the browser refused',
  'timed-out': 'there was no answer in time',
  dialog: 'the page has a dialog open',
  detached: 'the page or the worker ended',
  crashed: 'the page or the worker ended in a crash',
  closed: 'the browser is gone',
};

/** A command of the Chrome DevTools Protocol that failed. */
export class CdpError extends Error {
  readonly code = 'err_browser_command';

  /** @param detail what the browser said, if it said anything */
  constructor(
    readonly method: string,
    readonly reason: CdpFailure,
    detail = SENTENCES[reason],
  ) {
    super(`${method}: ${detail}`);
    this.name = 'CdpError';
  }
}
