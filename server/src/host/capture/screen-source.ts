import type { DamageExtension, ShmExtension, X11Event } from 'x11';
import { openOn, request, type XConnection } from '../display/x-client.js';
import type { DisplayAddress } from '../display/x-server.js';
import {
  BAND_ROWS,
  BYTES_PER_PIXEL,
  type BlockSink,
  type FrameSource,
  onGrid,
  union,
  type Rect,
} from './frame-source.js';
import { ALL_PLANES, SharedSegment, Z_PIXMAP } from './shared-segment.js';

/** An area as XDamage reports it. Parts of it may be outside the screen. */
interface DamagedArea {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** The session's display as a source of frames. XDamage reports changes, and MIT-SHM carries the pixels. */
export class ScreenSource implements FrameSource {
  onDamage: (() => void) | undefined;
  /** Area that changed since the last read. */
  #dirty: Rect | undefined;
  readonly #band: Buffer;

  private constructor(
    private readonly connection: XConnection,
    private readonly damageExtension: DamageExtension,
    /** Memory that the X server and the host share. Absent if memory cannot be shared. */
    private readonly segment: SharedSegment | undefined,
    private readonly damage: number,
    readonly width: number,
    readonly height: number,
  ) {
    this.#band = Buffer.alloc(width * BAND_ROWS * BYTES_PER_PIXEL);
    connection.x.on('event', (event: X11Event) => this.#onEvent(event));
  }

  /**
   * Watches the whole screen. If memory cannot be shared, pictures are sent over the socket, which is about
   * ten times slower. Rejects if the display ends.
   */
  static open(address: DisplayAddress): Promise<ScreenSource> {
    return openOn(address, (connection) => ScreenSource.#watch(connection));
  }

  static async #watch(connection: XConnection): Promise<ScreenSource> {
    const { x, root } = connection;
    const [damageExtension, geometry, shm] = await Promise.all([
      request<DamageExtension>((reply) => x.require('damage', reply)),
      request<{ width: number; height: number }>((reply) => x.GetGeometry(root, reply)),
      request<ShmExtension>((reply) => x.require('shm', reply)).catch(() => undefined),
    ]);
    const damage = x.AllocID();
    const { width, height } = geometry;
    const bytes = width * height * BYTES_PER_PIXEL;
    const segment = shm && (await SharedSegment.create(connection, shm, bytes).catch(() => undefined));
    const source = new ScreenSource(connection, damageExtension, segment, damage, width, height);
    damageExtension.Create(damage, root, damageExtension.ReportLevel.BoundingBox);
    return source;
  }

  get damaged(): boolean {
    return this.#dirty !== undefined;
  }

  /** Resolves when the display has ended. A read that is in progress then gets no answer. */
  get ended(): Promise<void> {
    return this.connection.ended;
  }

  async read(sink: BlockSink, everything: boolean): Promise<Rect | undefined> {
    const changed = everything ? { x: 0, y: 0, width: this.width, height: this.height } : this.#dirty;
    if (!changed) return undefined;
    this.#dirty = undefined;
    // Changes that are reported after this line belong to the next frame, even if this picture already shows
    // them.
    this.damageExtension.Subtract(this.damage, 0, 0);
    const area = onGrid(changed, this);
    if (!this.segment) {
      sink({ ...area, data: await this.#readSocket(area) });
      return area;
    }
    await this.segment.capture(this.connection.root, area);
    const { x, y, width, height } = area;
    const rowBytes = width * BYTES_PER_PIXEL;
    for (let row = 0; row < height; row += BAND_ROWS) {
      const rows = Math.min(BAND_ROWS, height - row);
      this.segment.read(this.#band, rowBytes * rows, rowBytes * row);
      sink({ x, y: y + row, width, height: rows, data: this.#band });
    }
    return area;
  }

  /** Returns the changed area, and forgets the change without reading it. Undefined if nothing changed. */
  takeChange(): Rect | undefined {
    const changed = this.#dirty;
    this.#dirty = undefined;
    if (changed) this.damageExtension.Subtract(this.damage, 0, 0);
    return changed;
  }

  close(): void {
    this.onDamage = undefined;
    this.segment?.close();
    this.connection.close();
  }

  #onEvent(event: X11Event): void {
    if (event.name !== 'DamageNotify') return;
    const first = this.#dirty === undefined;
    this.#dirty = union(this.#dirty, this.#clip(event['area'] as DamagedArea));
    if (first && this.#dirty) this.onDamage?.();
  }

  #clip(area: DamagedArea): Rect | undefined {
    const x = Math.max(0, area.x);
    const y = Math.max(0, area.y);
    const width = Math.min(this.width, area.x + area.w) - x;
    const height = Math.min(this.height, area.y + area.h) - y;
    return width > 0 && height > 0 ? { x, y, width, height } : undefined;
  }

  async #readSocket({ x, y, width, height }: Rect): Promise<Buffer> {
    const { x: client, root } = this.connection;
    const image = await request<{ data: Buffer }>((reply) =>
      client.GetImage(Z_PIXMAP, root, x, y, width, height, ALL_PLANES, reply),
    );
    return image.data;
  }
}
