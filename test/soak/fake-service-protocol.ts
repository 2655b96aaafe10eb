/** Orders of a soak to its service. Each is answered by one {@link Told}. */
export type Order =
  | { type: 'advance'; milliseconds: number }
  | { type: 'crash'; sessionId: string }
  | { type: 'measure' }
  | { type: 'close' };

/** Figures of a service at one moment. */
export interface Measures {
  /** Bytes, after garbage was collected. */
  rss: number;
  heapUsed: number;
  /** Of the process's memory manager beside the heap: buffers. */
  external: number;
  /** Things that must not become more, by name. */
  counts: Readonly<Record<string, number>>;
}

/** Answers of the service. */
export type Told = { type: 'listening'; port: number } | { type: 'done' } | ({ type: 'measured' } & Measures);
