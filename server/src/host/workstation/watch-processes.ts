import type { Notice } from 'cloud-browser/protocol';
import { NOTICES } from '../room/notices.js';
import { ProcessWatch } from '../watch/process-watch.js';

/** The session's reactions to failures of its processes. */
export interface ProcessTroubleListener {
  warn(message: string, fields: Record<string, unknown>): void;
  /** Sends a notice to all viewers. */
  notify(notice: Notice): void;
  /** True if the browser is being stopped or restarted. Its processes then end as expected. */
  isStopping(): boolean;
  /** Ends a browser that cannot continue. The session then restarts the browser, as after a crash. */
  endBrowser(): void;
}

/** Watches the processes of a session. Logs their failures and notifies viewers. */
export function watchProcesses(listener: ProcessTroubleListener): ProcessWatch {
  return new ProcessWatch({
    onStopped: (processes) => {
      for (const { role, remedy, ...fields } of processes) {
        const what = remedy === 'end' ? 'was stopped again and is ended' : 'was stopped and is continued';
        listener.warn(`${role} ${what}`, fields);
      }
      // Notifies viewers only of continued processes. The code that restarts an ended part notifies them
      // itself.
      if (processes.some(({ remedy }) => remedy === 'continue')) listener.notify(NOTICES.browserResumed);
    },
    onServiceEnded: (loss) => {
      if (listener.isStopping()) return;
      if (loss === 'picture') {
        listener.warn('the GPU process ended and was started again', {});
        listener.notify(NOTICES.pictureRestarted);
      } else {
        listener.warn('a zygote ended, so the browser can start no pages and is ended', {});
        listener.endBrowser();
      }
    },
  });
}
