import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Modifier } from 'cloud-browser/protocol';
import {
  actionOf,
  type ActionParts,
} from '../../../../server/src/host/features/computer/computer-actions.js';
import { Hands, type HandsAgent } from '../../../../server/src/host/features/computer/hands.js';
import type { Performed, UserEvent } from '../../../../server/src/host/input/user-input.js';
import { agentGone, clientGone } from '../../../../server/src/host/room/calls/call-error.js';

const AT = { x: 40, y: 30 };
const acted = () => undefined;
const LEFT = 0;

/** Events that wait for their outcome, in the order in which they were queued. */
let queue: { name: string; settle: (outcome: Performed) => void }[];
/** Horizontal positions of the moves. */
let moves: number[];
let hands: Hands;
let agent: HandsAgent;
/** The keys that were pressed. */
let keys: string[];
/** Number of times that everything was released. */
let releases: number;

const nameOf = (event: UserEvent) =>
  event.type === 'button' ? (event.pressed ? 'press' : 'release') : event.type;

/** Gives the first waiting events these outcomes, and lets the hands go on. */
async function settle(...outcomes: Performed[]): Promise<string[]> {
  await turn();
  const settled = queue.splice(0, outcomes.length);
  for (const [index, { settle: give }] of settled.entries()) give(outcomes[index] ?? 'done');
  return settled.map(({ name }) => name);
}

beforeEach(() => {
  queue = [];
  moves = [];
  keys = [];
  releases = 0;
  const performed = (event: UserEvent) => {
    if (event.type === 'move') moves.push(event.x);
    return new Promise<Performed>((settle) => queue.push({ name: nameOf(event), settle }));
  };
  agent = {
    input: {
      performed,
      tap: ({ key }) => Promise.resolve(keys.push(key) > 0 ? 'done' : 'full'),
      releaseAll: () => (releases += 1),
    },
    onControlReturned: () => undefined,
    onMasked: () => undefined,
    acted: () => undefined,
    performs: () => undefined,
    pointer: () => undefined,
    perform: (command) => command(),
  };
  hands = new Hands(agent, () => Promise.resolve());
});

describe('a double click', () => {
  it('is queued as a whole, so a busy machine cannot divide it', async () => {
    const click = hands.click(AT, LEFT, 2, 0);
    await settle('done');
    await turn();
    assert.deepEqual(
      queue.map(({ name }) => name),
      ['press', 'release', 'press', 'release'],
    );
    await settle('done', 'done', 'done', 'done');
    await click;
  });

  it('continues with its second click if a person took control after the first', async () => {
    const click = hands.click(AT, LEFT, 2, 0);
    await settle('done');
    await settle('done', 'done', 'dropped', 'dropped');
    assert.deepEqual(await settle('done'), ['move']);
    assert.deepEqual(await settle('done', 'done'), ['press', 'release']);
    await click;
    assert.deepEqual(queue, []);
  });

  it('counts a click whose release the host makes as performed', async () => {
    const click = hands.click(AT, LEFT, 1, 0);
    await settle('done');
    await settle('done', 'dropped');
    await click;
    assert.deepEqual(queue, []);
  });
});

describe('an action that fails', () => {
  it('releases its modifiers if the browser does not take a click in time', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const click = hands.click(AT, LEFT, 1, Modifier.control);
    await settle('done');
    await turn();
    const failed = assert.rejects(click, { code: 'err_page_unresponsive' });
    context.mock.timers.tick(5_000);
    await failed;
    assert.equal(releases, 1);
  });

  it('releases its button if too much input waits during a drag', async () => {
    const drag = hands.drag([AT, { x: 41, y: 30 }], LEFT);
    const failed = assert.rejects(drag, { code: 'err_too_many_calls' });
    for (const outcome of ['done', 'done', 'full'] as const) await settle(outcome);
    await failed;
    assert.equal(releases, 1);
  });
});

describe('an action on a node', () => {
  /** Performs an action on a node whose position changes each time that it is found. */
  const onNode = (type: string, x = 10) => {
    const nodes = { placeOf: () => Promise.resolve({ x: x++, y: 5 }) };
    return actionOf(type, { ref: 'e7', delta_y: 3 })({ hands, nodes, acted } as unknown as ActionParts);
  };

  for (const type of ['click', 'move', 'scroll'])
    it(`finds the node again if a person had control meanwhile: ${type}`, async () => {
      const { perform } = agent;
      agent.perform = (command) => {
        agent.perform = perform;
        agent.onControlReturned({ by: undefined, url: '', title: '' });
        return command();
      };
      const action = onNode(type);
      await settle('done');
      await settle('done', 'done');
      await action;
      assert.deepEqual(moves, [11]);
    });

  it('drags from a node to a node, which are on the screen at the same time', async () => {
    const asked: [number, boolean | undefined][] = [];
    const drag = (hidden?: number) => {
      const nodes = {
        placeOf: (node: number, scrolls?: boolean) => {
          asked.push([node, scrolls]);
          return Promise.resolve(node === hidden && scrolls === false ? undefined : { x: node, y: 5 });
        },
      };
      const path = [{ ref: 'e7' }, { ref: 'e20' }];
      return actionOf('drag', { path })({ hands, nodes, acted } as unknown as ActionParts);
    };
    await assert.rejects(drag(7), { code: 'err_call_failed', message: /at the same time/ });
    assert.deepEqual(queue, []);
    asked.length = 0;
    const done = drag();
    assert.deepEqual(await settle('done'), ['move']);
    assert.deepEqual(asked, [
      [7, undefined],
      [20, undefined],
      [7, false],
      [20, false],
    ]);
    assert.deepEqual(await settle('done'), ['press']);
    assert.deepEqual(await settle('done'), ['move']);
    const released = async (): Promise<string[]> => {
      const names = await settle('done');
      return names.length > 0 ? names : released();
    };
    assert.deepEqual(await released(), ['release']);
    await done;
    assert.deepEqual(moves, [7, 20]);
  });

  it('finds the node again before the second click of a double click', async () => {
    const nodes = { placeOf: () => Promise.resolve({ x: 20 + moves.length, y: 5 }) };
    const click = actionOf('click', { ref: 'e7', count: 2 })({
      hands,
      nodes,
      acted,
    } as unknown as ActionParts);
    await settle('done');
    await settle('done', 'done', 'dropped', 'dropped');
    await settle('done');
    await settle('done', 'done');
    await click;
    assert.deepEqual(moves, [20, 21]);
  });
});

describe('an action at a position', () => {
  const screen = () => ({ width: 800, height: 600 });
  const perform = (type: string, fields: object) =>
    actionOf(type, { ...fields })({ hands, screen, acted } as unknown as ActionParts);

  for (const [type, fields] of Object.entries({
    click: { x: 800, y: 10 },
    move: { x: 10, y: 600 },
    scroll: { x: 5_000, y: 10, delta_y: 1 },
    type: { x: 400, y: 10, scale: 0.5, text: 'a' },
    drag: { path: [AT, { x: 10, y: 600 }] },
  }))
    it(`is refused outside of the screen, with the size of the screen: ${type}`, async () => {
      const message = 'x and y must be a position on the screen, which has 800 x 600 pixels.';
      await assert.rejects(perform(type, fields), { code: 'err_invalid_parameter', message });
      assert.deepEqual([queue, keys], [[], []]);
    });

  it('is in the middle of the screen if a scroll names no target', async () => {
    const scroll = perform('scroll', { delta_y: 120 });
    await settle('done');
    await settle('done');
    await scroll;
    assert.deepEqual(moves, [400]);
  });

  it('is performed at the last pixel of the screen', async () => {
    const move = perform('move', { x: 799, y: 599 });
    await settle('done');
    await move;
    assert.deepEqual(moves, [799]);
  });
});

describe('an action whose client leaves', () => {
  it('ends before the next key, and releases everything', async () => {
    const client = new AbortController();
    hands.leaving = client.signal;
    const { tap } = agent.input;
    Object.assign(agent.input, {
      tap: (...stroke: Parameters<typeof tap>) => {
        if (keys.length === 1) client.abort(clientGone());
        return tap(...stroke);
      },
    });
    await assert.rejects(hands.type('abcd'), { code: 'err_call_failed' });
    assert.deepEqual([keys, releases], [['a', 'b'], 1]);
  });

  it('ends before the next move of a drag, and releases everything', async () => {
    const client = new AbortController();
    hands.leaving = client.signal;
    const drag = hands.drag([AT, { x: 90, y: 30 }], LEFT);
    const failed = assert.rejects(drag, { code: 'err_call_failed' });
    await settle('done');
    client.abort(clientGone());
    await settle('done');
    await failed;
    assert.deepEqual([moves, releases], [[40], 1]);
  });

  it('names no person if the agent has left during a drag', async () => {
    const agentLeft = new AbortController();
    hands.leaving = agentLeft.signal;
    const drag = hands.drag([AT, { x: 41, y: 30 }], LEFT);
    const failed = assert.rejects(drag, { code: 'err_agent_gone' });
    for (const outcome of ['done', 'done'] as const) await settle(outcome);
    await turn();
    agentLeft.abort(agentGone());
    await settle('dropped');
    await failed;
  });
});

describe('an action after a refusal by a masked field', () => {
  const ENTER = { code: 'Enter', key: 'Enter', modifiers: 0 };

  it('is performed, and does not fail, if the refusal was for an action on a node', async () => {
    agent.onMasked();
    await hands.key(ENTER, 2);
    assert.deepEqual(keys, ['Enter', 'Enter']);
    agent.onMasked();
    await hands.type('ab');
    assert.deepEqual(keys, ['Enter', 'Enter', 'a', 'b']);
    agent.onMasked();
    const click = hands.click(AT, LEFT, 1, 0);
    await settle('done');
    await settle('done', 'done');
    await click;
  });

  it('is performed if a person interrupted the refused action', async () => {
    const drag = hands.drag([AT, { x: 41, y: 30 }], LEFT);
    for (const outcome of ['done', 'refused', 'dropped'] as const) await settle(outcome);
    await assert.rejects(drag, { code: 'err_person_has_control' });
    await hands.key(ENTER, 1);
    assert.deepEqual(keys, ['Enter']);
  });

  it('fails if the field refuses it too', async () => {
    const scroll = hands.scroll(AT, { x: 0, y: 10 });
    await settle('done');
    await settle('refused');
    await assert.rejects(scroll, { code: 'err_field_masked' });
  });
});
