/**
 * The part of npm `x11` that the host uses; the package carries no types. Requests without a reply report their errors
 * on the client's `error` event. Shapes as in the package's `docs/`.
 */
declare module 'x11' {
  import type { EventEmitter } from 'node:events';

  type Reply<T> = (error: Error | null, reply: T) => void;

  interface X11Event {
    name: string;
    [field: string]: unknown;
  }

  interface KeyRequests {
    GetKeyboardMapping(first: number, count: number, reply: Reply<number[][]>): void;
    ChangeKeyboardMapping(first: number, perKeycode: number, keysyms: number[]): void;
  }

  interface WindowRequests {
    ChangeWindowAttributes(window: number, values: { eventMask: number }): void;
    GetImage(
      format: number,
      drawable: number,
      x: number,
      y: number,
      width: number,
      height: number,
      planeMask: number,
      reply: Reply<{ data: Buffer }>,
    ): void;
    GetGeometry(drawable: number, reply: Reply<{ width: number; height: number }>): void;
    QueryPointer(window: number, reply: Reply<{ child: number; rootX: number; rootY: number }>): void;
    QueryTree(window: number, reply: Reply<{ children: number[] }>): void;
    GetInputFocus(reply: Reply<{ focus: number }>): void;
    InternAtom(onlyIfExists: boolean, name: string, reply: Reply<number>): void;
    GetProperty(
      remove: 0 | 1,
      window: number,
      property: number,
      type: number,
      offset: number,
      length: number,
      reply: Reply<{ type: number; data: Buffer }>,
    ): void;
    DeleteProperty(window: number, property: number): void;
    SendClientMessage(
      destination: number,
      window: number,
      type: number,
      format: 32,
      data: number[],
      eventMask: number,
    ): void;
  }

  interface X11Client extends EventEmitter, KeyRequests, WindowRequests {
    AllocID(): number;
    require(extension: 'damage', reply: Reply<DamageExtension>): void;
    require(extension: 'shm', reply: Reply<ShmExtension>): void;
    require(extension: 'xtest', reply: Reply<XTestExtension>): void;
    require(extension: 'fixes', reply: Reply<FixesExtension>): void;
    require(extension: 'randr', reply: Reply<RandrExtension>): void;
    /** Flushes what is buffered and closes the connection. */
    close(done?: () => void): void;
    terminate(): void;
    seq_num: number;
    /** The queue of requests on their way out, which extensions write to; a descriptor given here is consumed. */
    pack_stream: { putWithFds(request: Buffer, descriptors: number[]): void; submit(reply?: boolean): void };
  }

  interface X11Display {
    client: X11Client;
    screen: { root: number; pixel_width: number; pixel_height: number; root_depth: number }[];
    min_keycode: number;
    max_keycode: number;
  }

  interface DamageExtension {
    ReportLevel: { BoundingBox: number; NonEmpty: number };
    Create(damage: number, drawable: number, level: number): void;
    Destroy(damage: number): void;
    Subtract(damage: number, repair: number, parts: number): void;
  }

  interface ShmExtension {
    majorOpcode: number;
    /** False when the connection cannot pass descriptors or the server is too old. */
    fdCapable: boolean;
    major: number;
    minor: number;
    ImageFormat: { ZPixmap: number };
    Detach(segment: number): void;
    GetImage(
      drawable: number,
      x: number,
      y: number,
      width: number,
      height: number,
      planeMask: number,
      format: number,
      segment: number,
      offset: number,
      reply: Reply<{ size: number }>,
    ): void;
  }

  interface XTestExtension {
    KeyPress: number;
    KeyRelease: number;
    ButtonPress: number;
    ButtonRelease: number;
    MotionNotify: number;
    FakeInput(type: number, detail: number, time: number, window: number, x: number, y: number): void;
  }

  interface FixesExtension {
    CursorNotifyMask: { DisplayCursor: number };
    SelectCursorInput(window: number, mask: number): void;
    GetCursorImage(
      reply: Reply<{
        x: number;
        y: number;
        width: number;
        height: number;
        xhot: number;
        yhot: number;
        cursorSerial: number;
        /** Packed ARGB with premultiplied alpha, 4 bytes a pixel, little-endian (B, G, R, A). */
        cursorImage: Buffer;
      }>,
    ): void;
  }

  /** A mode as RandR has it; the dot clock in hertz. */
  interface RandrMode {
    name: string;
    width: number;
    height: number;
    dot_clock: number;
    h_sync_start: number;
    h_sync_end: number;
    h_total: number;
    v_sync_start: number;
    v_sync_end: number;
    v_total: number;
  }

  interface RandrResources {
    crtcs: number[];
    outputs: number[];
  }

  interface RandrExtension {
    GetScreenResourcesCurrent(window: number, reply: Reply<RandrResources>): void;
    CreateMode(window: number, mode: RandrMode, reply: Reply<number>): void;
    AddOutputMode(output: number, mode: number): void;
    SetScreenSize(
      window: number,
      width: number,
      height: number,
      millimetresWide: number,
      millimetresHigh: number,
    ): void;
    SetCrtcConfig(
      crtc: number,
      timestamp: number,
      configTimestamp: number,
      x: number,
      y: number,
      mode: number,
      rotation: number,
      outputs: number[],
      reply: Reply<{ status: number }>,
    ): void;
  }

  interface ClientOptions {
    display: string;
    auth: { name: string; data: string };
  }

  const x11: {
    createClient(
      options: ClientOptions,
      ready: (error: Error | undefined, display: X11Display) => void,
    ): X11Client;
    eventMask: { SubstructureNotify: number; PropertyChange: number; StructureNotify: number };
  };
  export default x11;
  export type {
    X11Client,
    X11Display,
    X11Event,
    DamageExtension,
    ShmExtension,
    XTestExtension,
    FixesExtension,
    RandrExtension,
    RandrMode,
    RandrResources,
    Reply,
  };
}
