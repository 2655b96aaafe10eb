/** Folder with a video of 60 seconds, which the test server delivers. */
const FOLDER = '/test/browser/replay/recording';

/** Events of a recording with two users, two pages and two long pauses. */
export const EVENTS = [
  { t: 0, type: 'user_joined', user: 'a' },
  { t: 1, type: 'navigation', tab: '1', url: 'https://example.com/' },
  { t: 2, type: 'click', user: 'a', x: 1, y: 2, button: 0 },
  { t: 20, type: 'user_joined', user: 'b' },
  { t: 21, type: 'marker', name: 'Payment' },
  { t: 22, type: 'typing', user: 'b', keys: 2, characters: 5 },
  { t: 55, type: 'browser_ended' },
];

/** Answers the requests of an element as a service does. The video comes from the test server. */
export class FakeRecording {
  readonly #fetch = window.fetch.bind(window);
  readonly requests: { path: string; authorization: string | null }[] = [];
  state = 'ready';
  seconds = 60;
  events: string | ReadableStream<Uint8Array<ArrayBuffer>> = EVENTS.map((each) => JSON.stringify(each)).join(
    '\n',
  );
  /** Status of the answer with the events. */
  eventsStatus = 200;
  /** Refusals of the next requests. Then the service answers as usual. */
  refusals: { status: number; retryAfter: string }[] = [];
  /** Status of the answer. 0: the network fails. `never`: no answer comes. */
  status: number | 'never' = 200;
  /** Status of the answer to a request of the element itself for the video. `never`: no answer comes. */
  videoStatus: number | 'never' = 206;
  /** Body of the answer with the record. Null: the connection breaks within the body. */
  body: string | null | undefined;

  constructor() {
    window.fetch = (input, init) => this.#answer(new Request(input, init), init?.signal ?? undefined);
  }

  /** Address of the recording. */
  get src(): string {
    return FOLDER;
  }

  /** Answers the next request for events with the parts that the test writes. */
  holdEvents(): WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>> {
    const parts = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
    this.events = parts.readable;
    return parts.writable.getWriter();
  }

  restore(): void {
    window.fetch = this.#fetch;
  }

  #answer(request: Request, signal: AbortSignal | undefined): Promise<Response> {
    const { pathname: path } = new URL(request.url);
    this.requests.push({ path, authorization: request.headers.get('authorization') });
    const refusal = this.refusals.shift();
    if (refusal) {
      const { status, retryAfter } = refusal;
      return Promise.resolve(Response.json({}, { status, headers: { 'retry-after': retryAfter } }));
    }
    const asksVideo = path.endsWith('/video.mp4');
    if (this.status === 'never' || (asksVideo && this.videoStatus === 'never'))
      return new Promise((_resolve, reject) => {
        const end = () => reject(new DOMException('', 'AbortError'));
        if (signal?.aborted) end();
        else signal?.addEventListener('abort', end);
      });
    if (this.status === 0) return Promise.reject(new TypeError('Failed to fetch'));
    if (this.status !== 200) return Promise.resolve(Response.json({}, { status: this.status }));
    const { state, seconds, videoStatus } = this;
    if (asksVideo) return Promise.resolve(new Response('x', { status: Number(videoStatus) }));
    if (this.body !== undefined) return Promise.resolve(new Response(this.body ?? brokenBody()));
    if (!path.endsWith('/events')) return Promise.resolve(Response.json({ state, seconds }));
    const { events, eventsStatus } = this;
    if (eventsStatus !== 200) return Promise.resolve(Response.json({}, { status: eventsStatus }));
    if (typeof events === 'string') return Promise.resolve(new Response(events));
    return Promise.resolve(new Response(events.pipeThrough(new TransformStream(), signal && { signal })));
  }
}

/** Body of an answer whose connection breaks. */
export function brokenBody(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({ pull: (body) => body.error(new TypeError('network error')) });
}
