import { atomOf, openOn, type XConnection } from './x-client.js';
import type { DisplayAddress } from './x-server.js';

/** DPI for a pixel ratio of 1, in the unit of XSETTINGS: 1024ths of a dot per inch. */
const USUAL_DPI = 96 * 1024;
const SETTING = 'Xft/DPI';
/** Type number of a setting whose value is an integer. */
const INTEGER = 0;
/**
 * Length of the property's header, in bytes. Each setting begins with its type and the length of its name.
 * The name, a serial number and the value follow.
 */
const HEAD_BYTES = 12;
const NAME_OFFSET = HEAD_BYTES + 4;
/** Event mask StructureNotify. Clients with this mask receive the announcement of a new manager. */
const TO_LISTENERS = 0x20000;

/**
 * Sets the number of display pixels per CSS pixel while the browser runs. Pages, popups and the browser's
 * interface apply the new number at once. This class is an XSETTINGS manager with one setting, which Chromium
 * reads through GTK. A command-line flag would set a ratio that never changes. Source: XSETTINGS
 * specification 0.5, freedesktop.org.
 */
export class DisplayScale {
  /** Called when the pixel ratio has changed, to scale the parts that the browser does not scale. */
  onChange: (connection: XConnection, pixelRatio: number) => Promise<void> = () => Promise.resolve();
  #serial = 0;

  private constructor(
    private readonly connection: XConnection,
    private readonly window: number,
    private readonly property: number,
  ) {}

  /** Becomes the display's XSETTINGS manager. Programs that start later begin with this ratio. */
  static open(address: DisplayAddress, pixelRatio: number): Promise<DisplayScale> {
    return openOn(address, (connection) => DisplayScale.#openOn(connection, pixelRatio));
  }

  static async #openOn(connection: XConnection, pixelRatio: number): Promise<DisplayScale> {
    const { x, root } = connection;
    const [selection, property, manager] = await Promise.all([
      atomOf(connection, '_XSETTINGS_S0'),
      atomOf(connection, '_XSETTINGS_SETTINGS'),
      atomOf(connection, 'MANAGER'),
    ]);
    const window = x.AllocID();
    x.CreateWindow(window, root, 0, 0, 1, 1);
    const scale = new DisplayScale(connection, window, property);
    scale.#notify(pixelRatio);
    x.SetSelectionOwner(window, selection, 0);
    x.SendClientMessage(root, root, manager, 32, [0, selection, window], TO_LISTENERS);
    return scale;
  }

  /**
   * Sets another pixel ratio.
   *
   * @param pixelRatio a multiple of 1/64, which is Chromium's precision
   */
  set(pixelRatio: number): void {
    this.#notify(pixelRatio);
    // Scales the title bars of popups, which would otherwise keep their old size.
    this.onChange(this.connection, pixelRatio).catch(() => undefined);
  }

  close(): void {
    this.connection.close();
  }

  #notify(pixelRatio: number): void {
    const { x } = this.connection;
    const settings = settingsOf(Math.round(USUAL_DPI * pixelRatio), ++this.#serial);
    x.ChangeProperty(0, this.window, this.property, this.property, 8, settings);
  }
}

/** Returns the value of the manager's property, little-endian. It contains one setting. */
export function settingsOf(value: number, serial: number): Buffer {
  const nameBytes = Math.ceil(SETTING.length / 4) * 4;
  const settings = Buffer.alloc(NAME_OFFSET + nameBytes + 8);
  settings.writeUInt32LE(serial, 4);
  settings.writeUInt32LE(1, 8);
  settings.writeUInt8(INTEGER, HEAD_BYTES);
  settings.writeUInt16LE(SETTING.length, HEAD_BYTES + 2);
  settings.write(SETTING, NAME_OFFSET, 'latin1');
  settings.writeUInt32LE(serial, NAME_OFFSET + nameBytes);
  settings.writeInt32LE(value, NAME_OFFSET + nameBytes + 4);
  return settings;
}
