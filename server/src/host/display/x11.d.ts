/**
 * Types for the part of the npm package `x11` that the host uses. The package itself contains no types.
 * Requests without a reply report their errors on the client's `error` event. Source of the types: the
 * package's `docs/`.
 */
declare module 'x11' {
  import type { EventEmitter } from 'node:events';
  import type { Socket } from 'node:net';

  export type Reply<T> = (error: Error | null, reply: T) => void;

  type Area = [x: number, y: number, width: number, height: number];
  type CursorColor = { R: number; G: number; B: number };

  export interface X11Event {
    name: string;
    [field: string]: unknown;
  }

  export interface X11Client extends EventEmitter {
    AllocID(): number;
    GetKeyboardMapping(first: number, count: number, reply: Reply<number[][]>): void;
    ChangeKeyboardMapping(first: number, perKeycode: number, keysyms: number[]): void;
    CreateWindow(
      ...args: [
        ...[id: number, parent: number, ...Area, border?: number, depth?: number],
        ...[kind?: number, visual?: number, values?: { overrideRedirect: 1; cursor: number }],
      ]
    ): void;
    MoveWindow(window: number, x: number, y: number): void;
    RaiseWindow(window: number): void;
    MapWindow(window: number): void;
    UnmapWindow(window: number): void;
    CreatePixmap(pixmap: number, drawable: number, depth: number, width: number, height: number): void;
    FreePixmap(pixmap: number): void;
    CreateGC(context: number, drawable: number, values: { foreground: number }): void;
    FreeGC(context: number): void;
    PolyFillRectangle(drawable: number, context: number, areas: number[]): void;
    /** The bits of the pixmap `mask` are the visible pixels. */
    CreateCursor(
      ...args: [
        ...[cursor: number, source: number, mask: number, fore: CursorColor, back: CursorColor],
        ...[hotX: number, hotY: number],
      ]
    ): void;
    ChangeWindowAttributes(window: number, values: { eventMask: number }): void;
    GetImage(
      ...args: [format: number, drawable: number, ...Area, planes: number, reply: Reply<{ data: Buffer }>]
    ): void;
    GetGeometry(drawable: number, reply: Reply<{ width: number; height: number }>): void;
    QueryPointer(window: number, reply: Reply<{ child: number; rootX: number; rootY: number }>): void;
    QueryTree(window: number, reply: Reply<{ children: number[] }>): void;
    GetInputFocus(reply: Reply<{ focus: number }>): void;
    InternAtom(onlyIfExists: boolean, name: string, reply: Reply<number>): void;
    GetProperty(
      ...args: [
        ...[remove: 0 | 1, window: number, property: number, type: number, offset: number, length: number],
        reply: Reply<{ type: number; bytesAfter: number; data: Buffer }>,
      ]
    ): void;
    /**
     * The answer is the event `SelectionNotify`, which the window `requestor` receives. The event's
     * `property` is 0 if the selection has no owner, or if the owner does not offer the target.
     */
    ConvertSelection(
      ...args: [requestor: number, selection: number, target: number, property: number, time: number]
    ): void;
    /** Mode 0 replaces the property's value. `format` is the number of bits of each item: 8, 16 or 32. */
    ChangeProperty(
      ...args: [
        mode: 0,
        window: number,
        property: number,
        type: number,
        format: number,
        data: Buffer | number[],
      ]
    ): void;
    DeleteProperty(window: number, property: number): void;
    DestroyWindow(window: number): void;
    /** Window 0 removes the owner. */
    SetSelectionOwner(window: number, selection: number, time: number): void;
    GetSelectionOwner(selection: number, reply: Reply<number>): void;
    SendEvent(window: number, propagate: 0 | 1, eventMask: number, event: X11Event): void;
    SendClientMessage(
      ...args: [to: number, window: number, type: number, format: 32, data: number[], eventMask: number]
    ): void;
    require(extension: 'damage', reply: Reply<DamageExtension>): void;
    require(extension: 'shape', reply: Reply<ShapeExtension>): void;
    require(extension: 'shm', reply: Reply<ShmExtension>): void;
    require(extension: 'xtest', reply: Reply<XTestExtension>): void;
    require(extension: 'fixes', reply: Reply<FixesExtension>): void;
    require(extension: 'randr', reply: Reply<RandrExtension>): void;
    /** The server handles no other client until `UngrabServer`. */
    GrabServer(): void;
    UngrabServer(): void;
    terminate(): void;
    /** Atoms by name. In the package, all connections of a process share one object. */
    atoms: Record<string, number>;
    seq_num: number;
    /**
     * Queue of outgoing requests, which extensions write to. The queue takes ownership of the descriptors
     * that it receives.
     */
    pack_stream: { putWithFds(request: Buffer, descriptors: number[]): void; submit(reply?: boolean): void };
  }

  export interface X11Display {
    client: X11Client;
    screen: { root: number; pixel_width: number; pixel_height: number }[];
    min_keycode: number;
    max_keycode: number;
  }

  export interface DamageExtension {
    ReportLevel: { BoundingBox: number; RawRectangles: number };
    Create(damage: number, drawable: number, level: number): void;
    Destroy(damage: number): void;
    Subtract(damage: number, repair: number, parts: number): void;
  }

  export interface ShapeExtension {
    Op: { Set: number };
    Kind: { Bounding: number };
    Rectangles(op: number, kind: number, window: number, x: number, y: number, parts: Area[]): void;
    /** Bitmap 0 restores a window's full area. */
    Mask(op: number, kind: number, window: number, x: number, y: number, bitmap: number): void;
  }

  export interface ShmExtension {
    majorOpcode: number;
    /** False if the connection cannot pass descriptors or the server is too old. */
    fdCapable: boolean;
    Detach(segment: number): void;
    GetImage(
      ...args: [
        ...[drawable: number, ...Area, planes: number, format: number],
        ...[segment: number, offset: number, reply: Reply<{ size: number }>],
      ]
    ): void;
  }

  export interface XTestExtension {
    KeyPress: number;
    KeyRelease: number;
    ButtonPress: number;
    ButtonRelease: number;
    MotionNotify: number;
    FakeInput(type: number, detail: number, time: number, window: number, x: number, y: number): void;
  }

  /** A pointer's picture. */
  export interface CursorImage {
    width: number;
    height: number;
    /** The hotspot: the pixel of this picture that is at the pointer's position. */
    xhot: number;
    yhot: number;
    /** 4 bytes per pixel, premultiplied: B, G, R, alpha. */
    cursorImage: Buffer;
  }

  export interface FixesExtension {
    CursorNotifyMask: { DisplayCursor: number };
    SelectCursorInput(window: number, mask: number): void;
    SelectionEventMask: { SetSelectionOwner: number };
    SelectSelectionInput(window: number, selection: number, mask: number): void;
    GetCursorImage(reply: Reply<CursorImage>): void;
  }

  interface RandrMode {
    width: number;
    height: number;
    /** Hertz. */
    dot_clock: number;
    h_sync_start: number;
    h_sync_end: number;
    h_total: number;
    v_sync_start: number;
    v_sync_end: number;
    v_total: number;
    name: string;
  }

  export interface RandrExtension {
    Rotation: { Rotate_0: number };
    ConfigStatus: { Success: number };
    GetScreenResourcesCurrent(root: number, reply: Reply<{ crtcs: number[]; outputs: number[] }>): void;
    CreateMode(root: number, mode: RandrMode, reply: Reply<number>): void;
    DestroyMode(mode: number): void;
    AddOutputMode(output: number, mode: number): void;
    DeleteOutputMode(output: number, mode: number): void;
    SetScreenSize(root: number, width: number, height: number, mmWidth: number, mmHeight: number): void;
    GetCrtcInfo(
      crtc: number,
      configTime: number,
      reply: Reply<{ mode: number; width: number; height: number }>,
    ): void;
    /** Mode 0 and no outputs switch the controller off. */
    SetCrtcConfig(
      ...args: [
        ...[crtc: number, time: number, configTime: number, x: number, y: number, mode: number],
        ...[rotation: number, outputs: number[], reply: Reply<{ status: number }>],
      ]
    ): void;
  }

  const x11: {
    createClient(
      options: { display: string; stream: Socket; auth: { name: string; data: string } },
      ready: (error: Error | undefined, display: X11Display) => void,
    ): X11Client;
    eventMask: { SubstructureNotify: number; PropertyChange: number };
  };
  export default x11;
}

declare module 'x11/lib/fdpass.js' {
  import type { Socket } from 'node:net';

  const fdpass: {
    /**
     * Returns a connecting socket that can pass descriptors; null if this version of Node cannot pass them.
     */
    connect(path: string): Socket | null;
  };
  export default fdpass;
}
