import type { Notice } from 'cloud-browser/protocol';
import { NOTICES } from '../room/notices.js';
import type { WorkstationListener } from './start-workstation.js';

/** The session's reactions to the reports of its workstation. */
export interface ReportReceiver {
  warn: (message: string, fields?: Record<string, unknown>) => void;
  /** Sends a notice to all viewers. */
  notify: (notice: Notice) => void;
  /**
   * Called when a part is ended because it did not answer, and the whole workstation must be restarted. Not
   * called for a process that Chromium itself restarts.
   */
  onHung: () => void;
  /** True while the crash of a page is the work of the session's limits. */
  endsPage: () => boolean;
}

/** Logs events of a workstation and notifies viewers. */
export function reportsTo({ warn, notify, onHung, endsPage }: ReportReceiver): WorkstationListener {
  return {
    onDropped: (drop) => warn('The browser did not complete an operation', { ...drop }),
    onTabRefused: () => notify(NOTICES.tabRefused),
    onProgramLink: () => notify(NOTICES.linkRefused),
    onPageCrashed: () => {
      if (!endsPage()) notify(NOTICES.pageCrashed);
    },
    onPageHung: (milliseconds) => {
      warn('A page does not answer', { milliseconds });
      notify(NOTICES.pageHung);
    },
    onInvalidSelector: (selector) =>
      warn('A selector of field_masking is invalid: all fields of its pages are masked', {
        selector,
      }),
    onHang: ({ name, milliseconds, alone }) => {
      warn(`${name} does not answer and is ended`, { milliseconds });
      // If the part is ended alone, Chromium restarts it, and `watchProcesses` notifies viewers.
      if (!alone) onHung();
    },
  };
}
