/** A way to show a page in a remote browser, started and showing it. */
export interface RunningTarget {
  /** The address that the viewer's Chromium opens. */
  viewerAddress: string;
  /** The TCP port on which the server side sends the picture; absent when nothing is sent. */
  port?: number;
  /** The processes that are the server side, their descendants included. */
  serverProcesses: number[];
  /** Ends everything that `start` started. */
  stop(): Promise<void>;
}

export interface Target {
  name: string;
  /** The target's name in the table of results. */
  title: string;
  /**
   * Shows the page; `directory` is empty, and removed after `stop`. The server side listens on `address`, an
   * address of this machine, 127.0.0.1 by default.
   */
  start(page: string, directory: string, address?: string): Promise<RunningTarget>;
}
