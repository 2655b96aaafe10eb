/** Declarations of globals that browsers and Node share and the ECMAScript library lacks. */
declare function setTimeout(run: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;
declare function queueMicrotask(run: () => void): void;
/** Absent outside of pages and workers. */
declare function addEventListener(type: string, listener: (event: { type: string }) => void): void;
declare function removeEventListener(type: string, listener: (event: { type: string }) => void): void;
/** Absent outside of pages. */
declare const document: { hidden: boolean };
/** Absent in older runtimes. `onLine` exists only in browsers. */
declare const navigator: { onLine?: boolean };
declare const performance: { now(): number };
/** Exists in windows only, not in Node. */
declare const devicePixelRatio: number | undefined;
declare class URL {
  constructor(url: string, base?: string);
  protocol: string;
  href: string;
  hash: string;
  search: string;
  pathname: string;
}
declare function fetch(
  url: string,
  init: { method: string; body: unknown; signal?: unknown; credentials: 'omit' },
): Promise<{ readonly status: number; json(): Promise<unknown> }>;
declare class AbortController {
  readonly signal: unknown;
  abort(): void;
}
declare function atob(base64: string): string;
declare class Blob {
  constructor(parts: readonly Uint8Array[], options: { type: string });
  readonly size: number;
  readonly type: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}
declare class WebSocket {
  constructor(url: string, protocols: string);
  static readonly OPEN: number;
  readonly readyState: number;
  binaryType: 'arraybuffer';
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  send(data: string | Uint8Array): void;
  close(code?: number): void;
}
