import type { HostSession } from '../../server/src/host-protocol.js';
import type { WarmHost } from '../../server/src/pool/warm-browser-pool.js';

/** A host whose browser is there, or fails, when the test says so. */
export class FakeWarmHost implements WarmHost {
  session: HostSession | undefined;
  ready: () => void = () => undefined;
  fail: () => void = () => undefined;
  die: () => void = () => undefined;
  killed = false;
  readonly gone = new Promise<void>((resolve) => (this.die = resolve));

  prepare(session: HostSession): Promise<void> {
    this.session = session;
    return new Promise((resolve, reject) => {
      this.ready = resolve;
      this.fail = () => reject(new Error('no display'));
      void this.gone.then(this.fail);
    });
  }

  kill(): Promise<void> {
    this.killed = true;
    this.die();
    return this.gone;
  }
}
