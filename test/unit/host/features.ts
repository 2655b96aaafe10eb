import type { SessionEvent, SessionMethod } from 'cloud-browser/protocol';
import { encodeControl, type AccessibilityUpdate, type RemoteField } from 'cloud-browser/protocol';
import type { FeatureRoom } from '../../fakes/feature-room.js';
import { until, type RawClient } from '../../fakes/fake-room.js';

/** A user who tries a feature. */
export interface Attempt {
  room: FeatureRoom;
  client: RawClient;
  /** Sent with each of the user's calls. */
  token: string | undefined;
  /** Another user, who starts privacy mode. */
  owner?: RawClient | undefined;
}

/** A way to find out whether a user may use a feature. */
export interface Feature {
  /** Runs before the other user starts privacy mode, for example a subscription. */
  prepare?: (attempt: Attempt) => Promise<unknown>;
  /** Resolves to true if the user may. */
  attempt: (attempt: Attempt) => Promise<boolean>;
}

const FIELD: RemoteField = {
  ...{ id: 1, place: 'page', inputMode: 'text', enterKeyHint: 'enter', capitals: 'none', autocomplete: '' },
  ...{ password: false, multiline: false, rectangle: null, caret: null },
};
const BOX = { width: 900, height: 500 };

const say = ({ client }: Attempt, message: Parameters<typeof encodeControl>[0]) =>
  client.socket.send(encodeControl(message));
const turns = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** True if the session runs the call. */
const does =
  (method: SessionMethod, ...args: unknown[]) =>
  async ({ client, token }: Attempt): Promise<boolean> =>
    (await client.call(method, args, token)).error?.code !== 'err_forbidden';

const subscribes =
  (...events: SessionEvent[]) =>
  async ({ client, token }: Attempt): Promise<void> => {
    for (const event of events) await client.call('subscribe', [event], token);
  };

/** True if the user receives this event, which `happens` causes. */
const hears = (event: SessionEvent, happens: (attempt: Attempt) => unknown): Feature => ({
  prepare: subscribes(event),
  attempt: async (attempt) => {
    const { client } = attempt;
    const before = client.events.length;
    await happens(attempt);
    await client.settled();
    return client.events.slice(before).some(({ name }) => name === event);
  },
});

/** True if all ways allow it. Throws if they differ, because then there are two rules. */
const all = (...ways: Feature[]): Feature => ({
  prepare: async (attempt) => {
    for (const way of ways) await way.prepare?.(attempt);
  },
  attempt: async (attempt) => {
    const outcomes: boolean[] = [];
    for (const way of ways) outcomes.push(await way.attempt(attempt));
    const [first = false] = outcomes;
    if (outcomes.some((outcome) => outcome !== first)) throw new Error(`It is ${outcomes.join(', ')}.`);
    return first;
  },
});

const downloads: Feature = {
  // A subscription is enough, because no test requests the list.
  prepare: subscribes('files.onDownload'),
  attempt: async ({ room, client, token }) => {
    const taken = await room.giveOut('report');
    await client.settled();
    const heard = client.events.some(({ name }) => name === 'files.onDownload');
    const { result, error } = await client.call('files.list', [], token);
    const ticket = await client.call('files.ticket', ['report'], token);
    const listed = Array.isArray(result) && result.length === 1;
    const fetched = ticket.error ? ticket.error.code : await room.fetch(String(ticket.result));
    if (heard && listed && fetched === 200) return true;
    // For a user without the right, pages return nothing, or there is no content to return.
    if (!heard && error?.code === 'err_forbidden' && fetched === 'err_forbidden') return false;
    throw new Error(`taken ${taken}, heard ${heard}, listed ${listed}, fetched ${fetched}`);
  },
};

/** The features of docs/users.md, by their names there. */
export const FEATURES: Readonly<Record<string, Feature>> = {
  'See the picture and the shape of the pointer': {
    attempt: async (attempt) => {
      const { room, client } = attempt;
      const before = client.told.length;
      room.room.room.showCursor({ type: 'cursor', shape: 'none' });
      await client.settled();
      const shape = client.told.slice(before).some(({ type }) => type === 'cursor');
      if (room.viewer(client).ready !== shape) throw new Error('Picture and pointer do not agree.');
      return shape;
    },
  },
  'Hear the sound': {
    prepare: async (attempt) => say(attempt, { type: 'sound', on: true }),
    attempt: async ({ room, client }) => {
      await client.settled();
      const before = client.chunks.length;
      room.room.room.sound(new Uint8Array(8));
      await client.settled();
      return client.chunks.length > before;
    },
  },
  'Read the accessibility tree': {
    attempt: async ({ client, token }) => {
      await client.call('subscribe', ['accessibility.onUpdate'], token);
      const { args } = await until(() => client.events.find(({ name }) => name === 'accessibility.onUpdate'));
      return (args[0] as AccessibilityUpdate).state === 'complete';
    },
  },
  'Mouse, keyboard and fingers; paste; act on the accessibility tree': all(
    {
      attempt: async ({ room, client }) => {
        client.move(7, 8);
        await client.settled();
        return room.room.display.includes('move 7 8');
      },
    },
    { attempt: does('accessibility.act', 1, 'click') },
    {
      attempt: async (attempt) => {
        const { client } = attempt;
        say(attempt, { type: 'clipboard-offer', transfer: 1, parts: [{ type: 'text/plain', size: 1 }] });
        await client.settled();
        return !client.told.some(({ type }) => type === 'clipboard-refused');
      },
    },
    { attempt: does('clipboard.write', 1) },
    { attempt: does('clipboard.drop', 1, 0, 0) },
  ),
  'Get the focused text field': {
    attempt: async (attempt) => {
      const { room, client } = attempt;
      room.room.focus.field = FIELD;
      say(attempt, { type: 'focus', on: true });
      await client.settled();
      return client.told.some((message) => message.type === 'focus' && message.field !== null);
    },
  },
  'Type into masked fields': {
    attempt: async (attempt) => {
      const { room, client } = attempt;
      room.room.masked = {
        hasFocus: () => Promise.resolve(true),
        join: () => undefined,
        leave: () => undefined,
      };
      room.room.focus.field = FIELD;
      say(attempt, { type: 'focus', on: true });
      await client.settled();
      await turns();
      await client.settled();
      return client.told.some((message) => message.type === 'focus' && message.field !== null);
    },
  },
  'Control tabs, answer dialogs, and get their events': all(
    { attempt: does('tabs.query', {}) },
    { attempt: does('dialogs.list') },
    hears('tabs.onUpdated', ({ room }) => room.tabs.onEvent?.({ name: 'tabs.onUpdated', args: [1] })),
  ),
  'Get and answer the dialog of the page in front': {
    attempt: async (attempt) => {
      const { room, client } = attempt;
      room.openDialog();
      await turns();
      await client.settled();
      const sent = client.told.findLast((message) => message.type === 'dialog');
      const answers = await does('answerDialog', sent?.dialog?.id ?? 1, { accept: true })(attempt);
      if (answers !== (sent?.dialog !== undefined && sent.dialog !== null))
        throw new Error('Message and answer do not agree.');
      return answers;
    },
  },
  'Change the size of the screen': { attempt: does('resize', 800, 600) },
  'Let the screen follow the size of the own element': {
    attempt: async (attempt) => {
      say(attempt, { type: 'box', box: BOX });
      await attempt.client.settled();
      await turns();
      return attempt.room.room.shapes.some(({ width }) => width === BOX.width);
    },
  },
  'See the pointers of other users': hears('users.onPointer', async ({ room, owner }) => {
    const other = owner ?? (await room.enter(['control']));
    other.move(100, 100);
    await other.settled();
  }),
  'Copy from the browser': all(
    { attempt: does('clipboard.read') },
    {
      prepare: async ({ room }) => room.room.clipboard.copies('secret'),
      attempt: async (attempt) => {
        const may = await does('clipboard.fetch')(attempt);
        await attempt.client.settled();
        return may && attempt.client.told.some(({ type }) => type === 'clipboard-offer');
      },
    },
  ),
  'Upload files to a page that asks': {
    prepare: subscribes('files.onChooser'),
    attempt: async (attempt) => {
      const { room, client, token } = attempt;
      room.ask(client);
      await client.settled();
      const asked = client.events.find(({ name }) => name === 'files.onChooser');
      const chooser = (asked?.args[0] as { id: string } | undefined)?.id ?? 'none';
      const { error } = await client.call('files.offer', [{ chooser }, [{ name: 'a', size: 1 }]], token);
      if ((error === undefined) !== (asked !== undefined))
        throw new Error('Question and offer do not agree.');
      return asked !== undefined;
    },
  },
  'Drop files onto a page': {
    attempt: async ({ client, token }) => {
      const answer = await client.call('files.offer', [{ x: 1, y: 1 }, [{ name: 'a', size: 1 }]], token);
      return answer.error === undefined;
    },
  },
  'Get downloads and prints: list, events and content': downloads,
  'Start privacy mode': { attempt: does('enablePrivacyMode') },
  'Manage users, get events of all users, end privacy mode': all(
    { attempt: does('users.list') },
    { attempt: does('addRoles', [], []) },
    { attempt: does('pinSize', false) },
    {
      // Where it is off, every user may end it.
      attempt: async (attempt) => does(attempt.owner ? 'disablePrivacyMode' : 'users.list')(attempt),
    },
  ),
  'Read the own user, request control': all(
    { attempt: does('users.me') },
    { attempt: does('control.request') },
  ),
};
