import type { DamageExtension, ShmExtension, X11Event } from 'x11';
import { connectDisplay, request, type XConnection } from '../display/x-client.js';
import type { DisplayAddress } from '../display/x-server.js';
import { BAND_ROWS, type BlockSink, type FrameSource, onGrid, union, type Rect } from './frame-source.js';
import { ALL_PLANES, SharedSegment, Z_PIXMAP } from './shared-segment.js';

const BYTES_PER_PIXEL = 4;

/** The session's display as a source of frames: XDamage tells when to look, MIT-SHM carries the pixels. */
export class ScreenSource implements FrameSource {
  onDamage: (() => void) | undefined;
  /** What changed since the last read. */
  #dirty: Rect | undefined;
  #segment: SharedSegment | undefined;
  readonly #band: Buffer;

  private constructor(
    private readonly connection: XConnection,
    private readonly damageExtension: DamageExtension,
    private readonly shm: ShmExtension | undefined,
    private readonly damage: number,
    readonly width: number,
    readonly height: number,
  ) {
    this.#band = Buffer.alloc(width * BAND_ROWS * BYTES_PER_PIXEL);
    connection.x.on('event', (event: X11Event) => this.#onEvent(event));
  }

  /** Watches the whole screen. Where memory cannot be shared, pictures come over the socket, about ten times slower. */
  static async open(address: DisplayAddress): Promise<ScreenSource> {
    const connection = await connectDisplay(address);
    const { x, root } = connection;
    const [damageExtension, geometry, shm] = await Promise.all([
      request<DamageExtension>((reply) => x.require('damage', reply)),
      request<{ width: number; height: number }>((reply) => x.GetGeometry(root, reply)),
      request<ShmExtension>((reply) => x.require('shm', reply)).catch(() => undefined),
    ]);
    const damage = x.AllocID();
    const source = new ScreenSource(
      connection,
      damageExtension,
      shm,
      damage,
      geometry.width,
      geometry.height,
    );
    await source.#allocate();
    damageExtension.Create(damage, root, damageExtension.ReportLevel.BoundingBox);
    return source;
  }

  get damaged(): boolean {
    return this.#dirty !== undefined;
  }

  async read(sink: BlockSink, everything: boolean): Promise<Rect | undefined> {
    const changed = everything ? { x: 0, y: 0, width: this.width, height: this.height } : this.#dirty;
    if (!changed) return undefined;
    this.#dirty = undefined;
    // Damage that arrives from here on belongs to the next frame, even if this picture already shows it.
    this.damageExtension.Subtract(this.damage, 0, 0);
    const area = onGrid(changed, this);
    if (!this.#segment) {
      sink({ ...area, data: await this.#readSocket(area) });
      return area;
    }
    await this.#segment.capture(this.connection.root, area);
    const { x, y, width, height } = area;
    const rowBytes = width * BYTES_PER_PIXEL;
    for (let row = 0; row < height; row += BAND_ROWS) {
      const rows = Math.min(BAND_ROWS, height - row);
      this.#segment.read(this.#band, rowBytes * rows, rowBytes * row);
      sink({ x, y: y + row, width, height: rows, data: this.#band });
    }
    return area;
  }

  close(): void {
    this.onDamage = undefined;
    this.#segment?.close();
    this.connection.close();
  }

  async #allocate(): Promise<void> {
    if (!this.shm) return;
    const bytes = this.width * this.height * BYTES_PER_PIXEL;
    this.#segment = await SharedSegment.create(this.connection, this.shm, bytes).catch(() => undefined);
  }

  #onEvent(event: X11Event): void {
    if (event.name !== 'DamageNotify') return;
    const first = this.#dirty === undefined;
    this.#dirty = union(
      this.#dirty,
      this.#clip(event['area'] as { x: number; y: number; w: number; h: number }),
    );
    if (first && this.#dirty) this.onDamage?.();
  }

  #clip(area: { x: number; y: number; w: number; h: number }): Rect | undefined {
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
