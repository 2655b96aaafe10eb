/**
 * The part of the platform's `fetch` that this client needs. Node, edge runtimes and browsers have a `fetch`.
 */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** Options of a request. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
  signal?: unknown;
}

/** Response to a request. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  /** Needed for files and pictures. */
  arrayBuffer?(): Promise<ArrayBuffer>;
}

/** Globals that most runtimes have and that the ECMAScript library does not declare. */
interface Runtime {
  fetch?: Fetch;
  FormData?: new () => { append(name: string, value: unknown, fileName?: string): void };
  Blob?: new (parts: readonly unknown[]) => unknown;
  TextDecoder?: new () => { decode(bytes: Uint8Array): string };
  AbortSignal?: { timeout(milliseconds: number): unknown };
}

/**
 * Returns the platform's globals. Called only when a global is needed, so that runtimes without some of them
 * can import this module.
 */
export const runtime = (): Runtime => globalThis as Runtime;
