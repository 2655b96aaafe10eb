import type { RemoteField } from 'cloud-browser/protocol';
import type { InputDevices } from '../../input/input-devices.js';
import type { Roster } from '../../room/users/roster.js';
import { canSee, canUse } from '../../room/users/can-use.js';
import type { Viewer } from '../../room/viewers/viewer.js';

/** Parts of a session's devices that this class needs. */
type Devices = Pick<InputDevices, 'focus' | 'masked'>;

/** Initial state of viewers: no text field has the focus. */
const NOTHING = JSON.stringify(null);

/**
 * Sends viewers the field that has the focus on the remote screen. Only subscribed viewers receive it, and
 * only while the session accepts their input. A masked field accepts input only from users with the role
 * `field_masking`. Other users do not receive it.
 */
export class FocusReporter {
  /** Subscribed viewers, with the last message to each. */
  readonly #told = new Map<Viewer, string>();
  #busy = false;
  #again = false;

  constructor(
    private devices: Devices,
    private readonly roster: Pick<Roster, 'controls'>,
  ) {
    this.use(devices);
  }

  /** Uses a restarted browser. */
  use(devices: Devices): void {
    this.devices = devices;
    devices.focus.onChange = () => void this.#notify();
    this.refresh();
  }

  /** Subscribes or unsubscribes a viewer. */
  subscribe(viewer: Viewer, wanted: boolean): void {
    if (!wanted) return this.leave(viewer);
    if (!this.#told.has(viewer)) this.#told.set(viewer, NOTHING);
    this.refresh();
  }

  leave(viewer: Viewer): void {
    if (this.#told.delete(viewer)) this.refresh();
  }

  /**
   * Sends updates. Call it when users' rights have changed, or another user may have got control of the
   * browser.
   */
  refresh(): void {
    const wanted = [...this.#told.keys()].some((viewer) => canUse(viewer, 'control'));
    this.devices.focus.want(wanted);
    void this.#notify();
  }

  /**
   * Sends the focus. If a call is already running, that call sends again at its end. So the last message has
   * the newest state.
   */
  async #notify(): Promise<void> {
    this.#again = true;
    if (this.#busy) return;
    this.#busy = true;
    while (this.#again) {
      this.#again = false;
      const { field } = this.devices.focus;
      const guests = [...this.#told.keys()].filter((viewer) => !canUse(viewer, 'field_masking'));
      const masked = field?.place === 'page' && guests.length > 0 && (await this.#isMasked());
      for (const viewer of this.#told.keys())
        this.#send(viewer, masked && !canUse(viewer, 'field_masking') ? undefined : field);
    }
    this.#busy = false;
  }

  #isMasked(): Promise<boolean> | false {
    return this.devices.masked?.hasFocus().catch(() => true) ?? false;
  }

  #send(viewer: Viewer, field: RemoteField | undefined): void {
    const seen = this.roster.controls(viewer.userId) && canSee(viewer) ? (field ?? null) : null;
    const text = JSON.stringify(seen);
    if (text === this.#told.get(viewer)) return;
    this.#told.set(viewer, text);
    viewer.send({ type: 'focus', field: seen });
  }
}
