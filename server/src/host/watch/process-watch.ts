import { sendSignal } from '../../platform/process/send-signal.js';
import type { ProcessUse } from '../limits/session-processes.js';
import { EndedServices, type ServiceLoss } from './ended-services.js';
import { ProcessRoles, type ProcessRole } from './process-roles.js';
import { StoppedProcesses, type StoppedProcess } from './stopped-processes.js';

/** Receives events about the processes of a session. */
export interface ProcessListener {
  /** Called when a signal has stopped processes. Each was continued, or ended if it was stopped again. */
  onStopped(processes: readonly (StoppedProcess & { role: ProcessRole })[]): void;
  /** Called when a service of Chromium has ended while the browser continues. */
  onServiceEnded(loss: ServiceLoss): void;
}

/**
 * Watches all descendants of the host. Uses the measurements of their resource use, which the host makes at
 * least once a second. The watch itself reads only command lines from `/proc`.
 */
export class ProcessWatch {
  readonly #roles: ProcessRoles;
  readonly #stopped = new StoppedProcesses();
  readonly #services = new EndedServices();

  constructor(
    private readonly listener: ProcessListener,
    readCommandLine?: (pid: number) => string,
    private readonly signal: (pid: number, signal: 'SIGCONT' | 'SIGKILL') => void = sendSignal,
  ) {
    this.#roles = new ProcessRoles(readCommandLine);
  }

  /**
   * @param all all processes of the session
   * @param now milliseconds
   */
  look(all: readonly ProcessUse[], now: number): void {
    const uses = all.filter(({ zombie }) => !zombie);
    const known = this.#roles.look(uses, now);
    const stopped = this.#stopped
      .look(uses, now)
      .map((process) => ({ ...process, role: known.get(process.pid)?.role ?? ('Another process' as const) }));
    for (const { pid, remedy } of stopped) this.signal(pid, remedy === 'continue' ? 'SIGCONT' : 'SIGKILL');
    if (stopped.length > 0) this.listener.onStopped(stopped);
    for (const loss of this.#services.look(known)) this.listener.onServiceEnded(loss);
  }
}
