import { SessionKeeper, type SavedSession } from '../../../demo/session/session-keeper.js';
import { equal } from '../support/assert.js';

const SAVED: SavedSession = {
  session: { session_id: 'id', embed_url: 'https://host.example/a?token=t', admin_token: 'admin' },
  request: { width: 640, height: 480, fps: 30, kiosk: false },
  askedAt: 1,
};

describe('the session of a tab of the demo', () => {
  const fetch = window.fetch.bind(window);
  let keeper: SessionKeeper;

  beforeEach(() => {
    localStorage.setItem('cloud-browser-demo.key', 'key');
    keeper = new SessionKeeper();
    keeper.save(SAVED);
  });

  afterEach(() => {
    window.fetch = fetch;
    localStorage.clear();
    sessionStorage.clear();
  });

  const record = (ended: string | null) => Response.json({ termination_date: ended });
  const answers: { name: string; answer: () => Response; kept: boolean }[] = [
    { name: 'it runs', answer: () => record(null), kept: true },
    { name: 'it is over', answer: () => record('2030-01-01T00:00:00Z'), kept: false },
    { name: 'the service has no record of it', answer: () => answered(404), kept: false },
    { name: 'the service refuses the key', answer: () => answered(401), kept: false },
    { name: 'a proxy cannot reach the service', answer: () => answered(503), kept: true },
    { name: 'the service receives too many requests', answer: () => answered(429), kept: true },
    { name: 'the network fails', answer: () => Response.error(), kept: true },
  ];
  for (const { name, answer, kept } of answers)
    it(`is ${kept ? 'kept' : 'forgotten'} after a reload if ${name}`, async () => {
      window.fetch = () => {
        const response = answer();
        return response.type === 'error' ? Promise.reject(new TypeError()) : Promise.resolve(response);
      };
      equal(await keeper.resume(), kept ? SAVED : undefined);
      window.fetch = () => Promise.resolve(record(null));
      equal(await keeper.resume(), kept ? SAVED : undefined);
    });

  for (const ended of [null, '2030-01-01T00:00:00Z'])
    it(`is replaced by one that starts before the service answers that it ${ended ? 'is over' : 'runs'}`, async () => {
      let answer: ((response: Response) => void) | undefined;
      const asked = new Promise<void>((resolve) => {
        window.fetch = () =>
          new Promise((respond) => {
            answer = respond;
            resolve();
          });
      });
      const resumed = keeper.resume();
      await asked;
      const next = { ...SAVED, session: { ...SAVED.session, session_id: 'next' } };
      keeper.save(next);
      answer?.(record(ended));
      equal(await resumed, undefined);
      window.fetch = () => Promise.resolve(record(null));
      equal(await keeper.resume(), next);
    });
});

function answered(status: number): Response {
  return Response.json({ code: 'err_any', message: 'No.' }, { status });
}
