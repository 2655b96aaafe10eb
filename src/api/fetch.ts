/** The part of the platform's `fetch` that this client needs; Node, edge runtimes and browsers all have it. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** What a request is made of. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
  signal?: unknown;
}

/** What comes back. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** The globals that every runtime has and that the ECMAScript library does not declare. */
interface Runtime {
  fetch?: Fetch;
  FormData?: new () => { append(name: string, value: unknown, fileName?: string): void };
  Blob?: new (parts: readonly unknown[]) => unknown;
  AbortSignal?: { timeout(milliseconds: number): unknown };
}

/** The platform, looked at when it is needed, so that importing this works anywhere. */
export const runtime = (): Runtime => globalThis as Runtime;
