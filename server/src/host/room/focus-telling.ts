import type { RemoteField } from 'cloud-browser/protocol';
import type { InputDevices } from '../input/input-devices.js';
import type { Roster } from './users/roster.js';
import { hasRole, mayControl } from './users/rights.js';
import type { Viewer } from './viewer.js';

/** What this needs of a session's devices. */
type Devices = Pick<InputDevices, 'focus' | 'masked'>;

/** Where nothing that takes text has the focus, as viewers take it before they are told. */
const NOTHING = JSON.stringify(null);

/**
 * Tells viewers what has the keyboard on the remote screen: those who asked for it, while their input counts, and of a masked field
 * only those who may write into it.
 */
export class FocusTelling {
  /** Who asked, and what each was told last. */
  readonly #told = new Map<Viewer, string>();
  #busy = false;
  #again = false;

  constructor(
    private devices: Devices,
    private readonly roster: Pick<Roster, 'controls'>,
  ) {
    this.use(devices);
  }

  /** Uses a browser that was started again. */
  use(devices: Devices): void {
    this.devices = devices;
    devices.focus.onChange = () => void this.#tell();
    this.refresh();
  }

  /** Whether this viewer wants to know. */
  want(viewer: Viewer, wanted: boolean): void {
    if (!wanted) return this.leave(viewer);
    if (!this.#told.has(viewer)) this.#told.set(viewer, NOTHING);
    this.refresh();
  }

  leave(viewer: Viewer): void {
    if (this.#told.delete(viewer)) this.refresh();
  }

  /** Rights may have changed, or whose input counts. */
  refresh(): void {
    const wanted = [...this.#told.keys()].some(({ rights }) => mayControl(rights));
    this.devices.focus.want(wanted);
    void this.#tell();
  }

  /** One telling after the other: the last one tells what is known then. */
  async #tell(): Promise<void> {
    this.#again = true;
    if (this.#busy) return;
    this.#busy = true;
    while (this.#again) {
      this.#again = false;
      const { field } = this.devices.focus;
      const guests = [...this.#told.keys()].filter(({ rights }) => !hasRole(rights, 'field_masking'));
      const masked = field?.place === 'page' && guests.length > 0 && (await this.#isMasked());
      for (const viewer of this.#told.keys())
        this.#send(viewer, masked && !hasRole(viewer.rights, 'field_masking') ? undefined : field);
    }
    this.#busy = false;
  }

  #isMasked(): Promise<boolean> | false {
    return this.devices.masked?.hasFocus().catch(() => true) ?? false;
  }

  #send(viewer: Viewer, field: RemoteField | undefined): void {
    const seen = this.roster.controls(viewer.userId) && !viewer.shutOut ? (field ?? null) : null;
    const text = JSON.stringify(seen);
    if (text === this.#told.get(viewer)) return;
    this.#told.set(viewer, text);
    viewer.send({ type: 'focus', field: seen });
  }
}
