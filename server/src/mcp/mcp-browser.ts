import type { ComputerMethod, MethodResult } from 'cloud-browser/protocol';
import type { McpFile } from './file-results.js';

/** State of a request for help from a person. */
export interface HumanAnswer {
  id: string;
  /** Null while no person has answered. */
  outcome: string | null;
  note: string;
}

/**
 * Interface through which the tools use the browser of one session. Calls reject with an error whose message
 * is for the model.
 */
export interface McpBrowser {
  call<Method extends ComputerMethod>(
    method: Method,
    options: object,
  ): Promise<MethodResult<`computer.${Method}`>>;
  /** Returns a finished download. Rejects if it is too large for a result. */
  readDownload(id: string): Promise<McpFile>;
  /** Sends a file to the session. */
  uploadFile(name: string, bytes: Uint8Array): Promise<{ id: string }>;
  /** Requests help from a person. */
  requestHuman(instructions: string, seconds: number): Promise<HumanAnswer>;
  /** Waits at most this many seconds until a person has answered. Returns the state of the request. */
  humanAnswer(id: string, seconds: number): Promise<HumanAnswer>;
  /** Withdraws a request. Returns its state, with the answer of a person if a person has answered before. */
  withdrawHuman(id: string): Promise<HumanAnswer>;
}
