import type { Session } from '../../../demo/api.js';
import { OrderAgent } from '../../../demo/agent/order-agent.js';
import { equal } from '../support/assert.js';

const SESSION: Session = { session_id: 'id', embed_url: 'https://host.example/id?token=t', admin_token: 'a' };
const FIELDS = `- combobox "Bouquet" [ref=e1]
- textbox "For whom" [ref=e2]
- textbox "Text on the card" [ref=e3]
- button "Continue to delivery" [ref=e4]
- textbox "Street" [ref=e5]
- textbox "City" [ref=e6]
- checkbox "Deliver in the morning" [ref=e7]
- button "Continue to sign-in" [ref=e8]`;
const SIGN_IN = '- textbox "Password" [ref=e9]';
const ORDER = '- button "Place the order" [ref=e10]\n- heading "Thank you" [ref=e11]';
const NOT_YET = 'You have not signed in yet.';

describe("the demo's agent", () => {
  const fetch = window.fetch.bind(window);
  let signedIn: boolean;
  let requests: string[];
  let outcomes: { outcome: string; signsIn: boolean | 'late' }[];
  let isLate: boolean;

  beforeEach(() => {
    signedIn = isLate = false;
    requests = [];
    window.fetch = (input, init) => {
      const { pathname } = new URL(new Request(input).url);
      if (pathname === '/id/handoffs') {
        const { instructions } = JSON.parse(init?.body as string) as { instructions: string };
        requests.push(instructions);
        return Promise.resolve(Response.json({ id: 'h', outcome: null }));
      }
      if (pathname === '/id/handoffs/h') {
        const { outcome, signsIn } = outcomes.shift() ?? { outcome: 'timeout', signsIn: false };
        signedIn ||= signsIn === true;
        isLate = signsIn === 'late';
        return Promise.resolve(Response.json({ id: 'h', outcome }));
      }
      // The page handles the sign-in while the agent waits.
      if (pathname === '/id/computer/wait') signedIn ||= isLate;
      return Promise.resolve(Response.json({ text: `${FIELDS}\n${signedIn ? ORDER : SIGN_IN}` }));
    };
  });

  afterEach(() => {
    window.fetch = fetch;
  });

  const run = async () => {
    let sentence: string | undefined;
    const agent = new OrderAgent(SESSION, (_steps, failure) => (sentence = failure));
    await agent.run();
    return { states: agent.steps.map(({ state }) => state), sentence };
  };

  it('asks once if the visitor signs in', async () => {
    outcomes = [{ outcome: 'done', signsIn: true }];
    equal(await run(), { states: ['done', 'done', 'done', 'done'] });
    equal(requests.length, 1);
  });

  it('asks once if the page handles the sign-in after the visitor has pressed Done', async () => {
    outcomes = [{ outcome: 'done', signsIn: 'late' }];
    equal(await run(), { states: ['done', 'done', 'done', 'done'] });
    equal(requests.length, 1);
  });

  it('asks again if the visitor has pressed Done without a sign-in', async () => {
    outcomes = [
      { outcome: 'done', signsIn: false },
      { outcome: 'done', signsIn: true },
    ];
    equal(await run(), { states: ['done', 'done', 'done', 'done'] });
    equal(
      requests.map((text) => text.startsWith(NOT_YET)),
      [false, true],
    );
  });

  it('stops if the visitor presses Done twice without a sign-in', async () => {
    outcomes = [
      { outcome: 'done', signsIn: false },
      { outcome: 'done', signsIn: false },
    ];
    const sentence = 'No person has signed in, so the agent has stopped.';
    equal(await run(), { states: ['done', 'done', 'failed', 'next'], sentence });
    equal(requests.length, 2);
  });

  it('does not ask again if the visitor refuses', async () => {
    outcomes = [{ outcome: 'refused', signsIn: false }];
    equal((await run()).states, ['done', 'done', 'failed', 'next']);
    equal(requests.length, 1);
  });
});
