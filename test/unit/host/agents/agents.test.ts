import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { CdpSession } from '../../../../server/src/host/browser/cdp/cdp-session.js';
import { reasonOfCloseCode } from 'cloud-browser/protocol';
import type { Agent, ControlReturned } from '../../../../server/src/host/room/agents/agent.js';
import { MAX_WAITING_ACTS } from '../../../../server/src/host/room/agents/act-queue.js';
import { systemClock } from '../../../../server/src/platform/time/clock.js';
import { FakeRoom, MAX_VIEWERS, RawClient, until } from '../../../fakes/fake-room.js';

/** Rights of an agent in these tests. */
const ROLES = ['control', 'chrome_apis'] as const;
/** Time for which a person of these tests excludes agents. Milliseconds. */
const HOLD_MS = 150;

let room: FakeRoom;
let person: RawClient;
let agent: Agent;
let returned: ControlReturned[];

async function open(holdSeconds = 30): Promise<void> {
  room = await FakeRoom.open({}, systemClock, { holdSeconds, keepAlive: false });
  person = await room.enter();
  await person.admin('setPermissions', person.id, { idle_timeout: HOLD_MS });
  agent = room.users.agents.join({ userId: 'agent-1', name: 'Helper', roles: ROLES });
  returned = [];
  agent.onControlReturned = (report) => returned.push(report);
}
beforeEach(() => open());
afterEach(() => room.close());

const codeOf = async (refused: Promise<unknown>): Promise<unknown> =>
  refused.then(
    () => 'accepted',
    (error: unknown) => (error as { code?: string }).code,
  );

/** Another agent joins. */
const join = (tokenId?: string) =>
  room.users.agents.join({ name: 'Helper', roles: ROLES, ...(tokenId && { tokenId }) });

function press(client: RawClient, pressed = true): void {
  client.input({ type: 'button', modifiers: 0, pressed, button: 0, x: 10, y: 20 });
}

async function click(client: RawClient): Promise<void> {
  press(client);
  press(client, false);
  await client.settled();
}

/** Presses and holds a button. The person then keeps control, however slow the machine is. */
async function hold(client: RawClient): Promise<void> {
  press(client);
  await client.settled();
}

describe('an agent', () => {
  it('is a user with a kind, a name and a colour, and needs no viewer', async () => {
    const [first, second] = await person.admin('users.list');
    assert.deepEqual([first?.kind, first?.name, first?.color], ['person', undefined, undefined]);
    assert.deepEqual([second?.id, second?.kind, second?.name], ['agent-1', 'agent', 'Helper']);
    assert.match(second?.color ?? '', /^#[0-9a-f]{6}$/);
    assert.equal(second?.controlling, true);
  });

  it('has no control while a person has a dialog to answer', async () => {
    const listeners = new Map<string, (event: object) => void>();
    const on = (method: string, listener: (event: object) => void) => void listeners.set(method, listener);
    const page = { on, ended: new Promise(() => undefined), prepare: () => Promise.resolve() };
    room.pages.dialogs.follow(page as unknown as CdpSession);
    const { control } = room.users;
    const mayActLater = () => control.controllers(control.now() + 2 * HOLD_MS).has(agent.user.id);
    await hold(person);
    listeners.get('Page.javascriptDialogOpening')?.({
      type: 'confirm',
      message: 'Delete?',
      url: 'https://a/',
    });
    press(person, false);
    await person.settled();
    assert.equal(mayActLater(), false);
    listeners.get('Page.javascriptDialogClosed')?.({ result: true, userInput: '' });
    assert.equal(mayActLater(), true);
  });

  it('has another colour than the agents before it', () => {
    assert.notEqual(join().user.agent?.color, agent.user.agent?.color);
  });

  it('cannot have the id of a user who is known', () => {
    assert.throws(() => room.users.agents.join({ userId: person.id, name: 'x', roles: ROLES }), {
      code: 'err_invalid_parameter',
    });
  });

  it('may act at once while no person acts', async () => {
    await agent.act();
    assert.equal(agent.canRead, true);
  });

  it('is removed by kick', async () => {
    let message = '';
    agent.onKicked = (text) => (message = text);
    await person.admin('kick', 'agent-1');
    assert.match(message, /admin/);
    assert.equal((await person.admin('users.list')).length, 1);
    assert.equal(await codeOf(agent.act()), 'err_agent_gone');
  });

  it('does not join again with its token after kick, and does with another one', async () => {
    const [first, other] = [join('first'), join('other')];
    await person.admin('kick', first.id);
    assert.throws(() => join('first'), { code: 'err_agent_kicked', message: /Ask for a new token/ });
    assert.equal(other.canRead, true, 'other programs stay');
    assert.equal(join('other').canRead, true);
    assert.equal(join().canRead, true, 'the credentials of the session itself count as one of their own');
    await person.admin('kick', 'agent-1');
    assert.throws(() => join(), { code: 'err_agent_kicked' });
    assert.equal(join('new').canRead, true);
  });

  it('calls nothing with its token after kick, also methods for which it does not join', async () => {
    const call = (tokenId: string) => room.calls.ofBackend('users.list', [], { tokenId });
    const first = join('first');
    await call('first');
    await person.admin('kick', first.id);
    await assert.rejects(call('first'), { code: 'err_agent_kicked' });
    await call('other');
  });

  it('does not get back what an admin has taken when it joins again with its token', async () => {
    const rightsOf = ({ rights }: Agent) => [[...rights.roles], rights.permissions.control_disabled];
    const whole = [[...ROLES], false];
    const [first, beside] = [join('first'), join('first')];
    await person.admin('removeRoles', [first.id], ['chrome_apis']);
    await person.admin('setPermissions', beside.id, { priority: 0 });
    assert.deepEqual(rightsOf(beside), whole, 'agents that are connected stay as they are');
    first.leave();
    const again = join('first');
    assert.deepEqual(rightsOf(again), [['control'], false]);
    assert.deepEqual(rightsOf(join('other')), whole);
    assert.deepEqual(rightsOf(join()), whole);
    await person.admin('setPermissions', again.id, { control_disabled: true });
    again.leave();
    const disabled = join('first');
    assert.deepEqual(rightsOf(disabled), [['control'], true]);
    assert.equal(await codeOf(disabled.act()), 'err_forbidden');
    await person.admin('addRoles', [disabled.id], ['chrome_apis']);
    await person.admin('setPermissions', disabled.id, { control_disabled: false });
    disabled.leave();
    assert.deepEqual(rightsOf(join('first')), whole, 'an admin can give it back');
  });

  it('does not list the pages after kick, also with the credentials of the session itself', async () => {
    const rules = { access: () => undefined, check: (args: readonly unknown[]) => args };
    room.calls.add('tabs.query', rules, () => []);
    const list = () => room.calls.ofBackend('tabs.query', [{}], {});
    assert.deepEqual(await list(), []);
    await person.admin('kick', 'agent-1');
    await assert.rejects(list(), { code: 'err_agent_kicked' });
    await room.calls.ofBackend('users.list', [], {});
  });

  it('is replaced by a person with its id, and may join again', async () => {
    let message = '';
    agent.onKicked = (text) => (message = text);
    room.handover = { userId: 'agent-1' };
    await room.enter();
    assert.match(message, /person with the same user id/);
    assert.equal(join().canRead, true);
  });

  it('stays if a person with its id is refused', async () => {
    for (let count = 1; count < MAX_VIEWERS; count++) await room.enter();
    room.handover = { userId: 'agent-1' };
    const refused = await RawClient.open(Number(new URL(room.url).port), {});
    assert.equal(reasonOfCloseCode(await until(() => refused.closed)), 'full');
    assert.equal(agent.canRead, true);
    await agent.act();
  });

  it('may not act without the role control', async () => {
    await person.admin('removeRoles', ['agent-1'], ['control']);
    assert.equal(await codeOf(agent.act()), 'err_forbidden');
    assert.throws(() => agent.checkControl(), {
      code: 'err_forbidden',
      message: /automation\.roles.* admin .* screenshots/,
    });
    await person.admin('addRoles', ['agent-1'], ['control']);
    await hold(person);
    agent.checkControl();
  });

  it('loses its rights when it leaves, and reports it to admins', async () => {
    await person.call('subscribe', ['users.onLeft'], 'admin-token');
    agent.leave();
    agent.leave();
    await until(() => person.events.some(({ name }) => name === 'users.onLeft'));
    assert.equal(room.users.agents.list().length, 0);
    assert.equal(agent.canRead, false);
  });

  it('is limited in number', () => {
    for (let count = 1; count < 32; count++) join();
    assert.throws(() => join(), { code: 'err_too_many_agents' });
  });
});

describe('a person who acts', () => {
  it('holds the agent until they rest, and the agent learns who acted', async () => {
    await hold(person);
    assert.equal(room.users.roster.controls('agent-1'), false);
    press(person, false);
    const order: number[] = [];
    await Promise.all([1, 2, 3].map((number) => agent.act().then(() => order.push(number))));
    assert.deepEqual(order, [1, 2, 3]);
    assert.deepEqual(returned, [{ by: person.id, url: 'https://example.com/', title: 'Example' }]);
  });

  it('does not hold the agent by moving the pointer', async () => {
    person.move(1, 1);
    await person.settled();
    await agent.act();
    assert.deepEqual(returned, []);
  });

  it('holds the agent for as long as a button is down', async () => {
    await hold(person);
    let acted = false;
    const acting = agent.act().then(() => (acted = true));
    await new Promise<void>((resolve) => systemClock.setTimeout(resolve, 3 * HOLD_MS));
    assert.equal(acted, false);
    press(person, false);
    await acting;
  });

  it('holds the agent no longer after they have left', async () => {
    await click(person);
    person.socket.close();
    await agent.act();
    assert.equal(returned.length, 1);
  });

  it('can give control back at once', async () => {
    const holder = await room.enter();
    await click(holder);
    const acting = agent.act();
    await person.admin('control.give', 'agent-1');
    await acting;
    // The next click takes it again, although control was handed over.
    await click(holder);
    assert.equal(room.users.roster.controls('agent-1'), false);
    assert.equal(room.users.roster.controls(holder.id), true);
  });

  it('does not reach an agent of a higher priority', async () => {
    await person.admin('setPermissions', 'agent-1', { priority: 1 });
    await click(person);
    await agent.act();
    assert.deepEqual(room.display, []);
  });

  it('gets control when an agent of a higher priority is idle, until its next command', async () => {
    room.close();
    await open(2);
    await person.admin('setPermissions', person.id, { idle_timeout: 0 });
    await person.admin('setPermissions', 'agent-1', { priority: 1, idle_timeout: 300 });
    const { roster } = room.users;
    await until(() => !roster.controls('agent-1'));
    assert.equal(roster.controls(person.id), true);
    assert.equal(await codeOf(agent.act()), 'accepted');
    await agent.perform(() => Promise.resolve());
    await until(() => !roster.controls('agent-1'));
  });

  it('waits until the agent has finished its command and released its buttons', async () => {
    let finish: () => void = () => undefined;
    const command = new Promise<void>((resolve) => (finish = resolve));
    let holds = false;
    agent.use({
      get holdsAny() {
        return holds;
      },
      release: () => {
        room.display.push('agent releases');
        holds = false;
      },
    });
    const performing = agent.perform(async () => {
      holds = true;
      await command;
      room.display.push('agent presses');
    });
    await hold(person);
    finish();
    await performing;
    await until(() => room.display.includes('button 1 down'));
    assert.deepEqual(room.display, ['agent presses', 'agent releases', 'move 10 20', 'button 1 down']);
  });

  it('finds the focus kept before their press, and the agent finds it restored', async () => {
    room.pageCommands.length = 0;
    await click(person);
    await until(() => room.display.includes('button 1 up'));
    assert.deepEqual(room.pageCommands, ['Page.createIsolatedWorld', 'Runtime.evaluate']);
    await agent.act();
    const restored = ['Runtime.callFunctionOn', 'Runtime.releaseObjectGroup'];
    assert.deepEqual(room.pageCommands.slice(-2), restored);
  });

  it('leaves no object in the page when the agent leaves before it has control again', async () => {
    await hold(person);
    await until(() => room.display.includes('button 1 down'));
    assert.equal(room.pageCommands.at(-1), 'Runtime.evaluate');
    agent.leave();
    assert.equal(room.pageCommands.at(-1), 'Runtime.releaseObjectGroup');
  });

  it('does not wait for a command that never ends', async () => {
    void agent.perform(() => new Promise<void>(() => undefined));
    await Promise.resolve();
    press(person);
    await until(() => room.display.includes('button 1 down'));
  });

  it('does not move the pointer between a press of the agent and its release', async () => {
    let holds = true;
    const remove = agent.use({
      get holdsAny() {
        return holds;
      },
      release: () => undefined,
    });
    person.move(3, 4);
    await person.settled();
    assert.deepEqual(room.display, []);
    holds = false;
    remove();
    person.move(5, 6);
    await person.settled();
    await until(() => room.display.includes('move 5 6'));
  });
});

describe('a command that waits for control', () => {
  it('is refused at once when its client leaves, and is not performed later', async () => {
    await hold(person);
    const client = new AbortController();
    const performed: string[] = [];
    const perform = (name: string, leaving?: AbortSignal) =>
      agent.perform(() => Promise.resolve(performed.push(name)), leaving);
    const waiting = codeOf(perform('abandoned', client.signal));
    const next = perform('next');
    client.abort();
    assert.equal(await waiting, 'err_call_failed');
    assert.equal(await codeOf(perform('late', client.signal)), 'err_call_failed');
    press(person, false);
    await next;
    assert.deepEqual(performed, ['next']);
  });

  it('fails after the time that the session allows', async () => {
    room.close();
    await open(0.02);
    await click(person);
    await hold(person);
    assert.equal(await codeOf(agent.act()), 'err_person_has_control');
  });

  it('is refused at once when too many wait', async () => {
    await hold(person);
    const waiting = Array.from({ length: MAX_WAITING_ACTS }, () => agent.act());
    assert.equal(await codeOf(agent.act()), 'err_person_has_control');
    press(person, false);
    await Promise.all(waiting);
  });

  it('fails when the agent leaves', async () => {
    await hold(person);
    const acting = codeOf(agent.act());
    agent.leave();
    assert.equal(await acting, 'err_agent_gone');
  });
});

describe('the privacy mode of a person', () => {
  it('hides the browser from the agent and refuses its commands, also those that wait', async () => {
    await hold(person);
    const waiting = codeOf(agent.act());
    await person.admin('enablePrivacyMode');
    press(person, false);
    assert.equal(await waiting, 'err_forbidden');
    assert.equal(await codeOf(agent.act()), 'err_forbidden');
    assert.equal(agent.canRead, false);
    await person.admin('disablePrivacyMode');
    assert.equal(agent.canRead, true);
    await agent.act();
  });
});

describe('an agent that leaves', () => {
  it('releases the keys and buttons that it holds on the display', async () => {
    agent.input.handle(
      { type: 'button', modifiers: 0, pressed: true, button: 0, x: 1, y: 2, seq: 1 },
      () => undefined,
    );
    await until(() => room.display.includes('button 1 down'));
    agent.leave();
    await until(() => room.display.includes('button 1 up'));
  });

  it('releases its devices, also when one of them fails', async () => {
    let released = false;
    agent.use({ holdsAny: true, release: () => Promise.reject(new Error('The connection is gone.')) });
    agent.use({ holdsAny: true, release: () => void (released = true) });
    agent.leave();
    await until(() => released);
  });
});
