import assert from 'node:assert/strict';
import type { CloudBrowserClient } from '../../src/core/index.js';
import { Hands } from './support/hands.js';
import type { HostedPage } from './support/hosted-page.js';
import { connectClient } from './support/sdk-client.js';
import type { Service, Session } from './support/service.js';
import { cleanUpAtEnd, test } from './support/test.js';
import { until } from './support/until.js';

test.describe.configure({ retries: 0 });
cleanUpAtEnd();
const SIZE = { width: 800, height: 400 };
const MASK = { matches: ['http://127.0.0.1/*', '*://localhost/*'], selectors: ['.secret'] };
/** In the middle of a field of the page, by its distance from the top; fields of the right column, and checkboxes. */
const at = (top: number, left = 170): [number, number] => [left, top + 15];
const FREE = at(20);
const PLAIN = at(60);
const NUMBER = at(100);
const SELECT = at(140);
const CHECK = at(180, 35);
const LABEL = at(180, 150);
const RICH = at(220);
const RANGE = at(260);
const DATE = at(300, 30);
const [RIGHT_OPEN, RIGHT_CLOSED, PARTLY] = [at(20, 550), at(60, 550), at(100, 410)];
const RESET = at(140, 560);

/** Somebody's hands, and text that no key makes. */
class Person extends Hands {
  constructor(readonly socket: CloudBrowserClient) {
    super(socket);
  }

  text(text: string): void {
    this.socket.sendInput({ type: 'text', text, modifiers: 0 });
  }

  compose(text: string): void {
    this.socket.sendInput({ type: 'composition', text, modifiers: 0 });
  }

  wheel([x, y]: [number, number]): void {
    this.socket.sendInput({ type: 'wheel', x, y, deltaX: 0, deltaY: -120, notched: true, modifiers: 0 });
  }

  space(): void {
    for (const pressed of [true, false])
      this.socket.sendInput({ type: 'key', pressed, repeat: false, code: 'Space', key: ' ', modifiers: 0 });
  }

  /** Drags what is selected at one place to another, as fast as the browser follows. */
  async dragsText(from: [number, number], to: [number, number]): Promise<void> {
    const [starts, overs] = [page.count('dragstart'), page.count('dragover plain')];
    const [[x, y], [toX, toY]] = [from, to];
    this.move(x, y);
    this.button(from, true);
    for (let step = 1; step <= 10; step++) this.move(x + step, y + step);
    await page.event('dragstart', starts + 1);
    this.move(toX - 5, toY);
    this.move(toX, toY);
    await page.event('dragover plain', overs + 1);
    this.button(to, false);
    await page.event('dragend', starts + 1);
  }

  button([x, y]: [number, number], pressed: boolean): void {
    this.socket.sendInput({ type: 'button', button: 0, pressed, x, y, modifiers: 0 });
  }

  tap([x, y]: [number, number]): void {
    const points = [{ id: 1, x, y }];
    this.socket.sendInput({ type: 'touch', phase: 'start', points, modifiers: 0 });
    this.socket.sendInput({ type: 'touch', phase: 'end', points: [], modifiers: 0 });
  }

  /** Copies a letter from the field that anybody may write into. */
  async copies(): Promise<void> {
    await page.run('document.getElementById("free").value = "q"');
    const copies = page.count('copy');
    await until('the letter is copied', () => {
      this.click(...FREE);
      this.press('Control+KeyA');
      this.press('Control+KeyC');
      return until('it is', () => page.count('copy') > copies, 2_000).catch(() => false);
    });
  }
}

let session: Session;
let page: HostedPage;
let guest: Person;
let owner: Person;

async function person(service: Session): Promise<Person> {
  return new Person(await connectClient(service));
}

/** A session with somebody who may write into masked fields, and somebody who may not. */
async function open(service: Service, url: string, more: object = {}): Promise<void> {
  session = await service.create({ ...SIZE, start_url: url, field_masking: [MASK], ...more });
  [guest, owner] = [await person(session), await person(session)];
  await owner.socket.remote.call('addRoles', [[owner.socket.userId ?? ''], ['field_masking']], {
    adminToken: session.admin_token,
  });
}

const fields = async (): Promise<Record<string, unknown>> =>
  JSON.parse(String(await page.run('JSON.stringify(fields())'))) as Record<string, unknown>;

/**
 * Resolves when all that this person has done before is through: what they write into the free field comes behind it. On a busy
 * machine that may be refused as well, since nobody could say in time where it would go.
 */
async function through(who: Person): Promise<void> {
  const mark = `m${Math.random()}`;
  const isThere = () => String(page.state['free']).includes(mark);
  await until('the mark is in the free field', async () => {
    who.press('Escape');
    who.click(...FREE);
    who.press('Control+KeyA');
    who.text(mark);
    return until('the mark arrives', isThere, 2_000).catch(() => false);
  });
}

/** A way to write into a masked field. */
interface Way {
  /** What it changes. */
  field: string;
  act: (who: Person) => void | Promise<void>;
  /** Run in the page before. */
  before?: string;
}

/** A person has more ways than these; none of them needs more than a socket. */
const WAYS: Record<string, Way> = {
  'keys after a click': {
    field: 'plain',
    act: (who) => {
      who.click(...PLAIN);
      who.press('KeyX');
    },
  },
  text: {
    field: 'plain',
    act: (who) => {
      who.click(...PLAIN);
      who.text('漢字');
    },
  },
  'an input method': {
    field: 'plain',
    act: (who) => {
      who.click(...PLAIN);
      who.compose('か');
      who.text('か');
    },
  },
  'Control+V': {
    field: 'plain',
    act: async (who) => {
      await who.copies();
      who.click(...PLAIN);
      who.press('Control+KeyV');
    },
  },
  'Shift+Insert': {
    field: 'plain',
    act: async (who) => {
      await who.copies();
      who.click(...PLAIN);
      who.press('Shift+Insert');
    },
  },
  'Control+X': {
    field: 'kept',
    before: 'document.getElementById("kept").select(); document.getElementById("kept").focus()',
    act: (who) => who.press('Control+KeyX'),
  },
  'the focus by Tab': {
    field: 'plain',
    act: (who) => {
      who.click(...FREE);
      who.press('Tab');
      who.press('KeyX');
    },
  },
  'a field that the page has focused': {
    field: 'plain',
    before: 'document.getElementById("plain").focus()',
    act: (who) => who.press('KeyX'),
  },
  'a drag': {
    field: 'plain',
    act: async (who) => {
      await who.copies();
      return who.dragsText([28, 35], PLAIN);
    },
  },
  'a spin button': { field: 'number', act: (who) => who.click(312, 110) },
  'arrow keys in a number': {
    field: 'number',
    before: 'document.getElementById("number").focus()',
    act: (who) => who.press('ArrowUp'),
  },
  'arrow keys in a list': {
    field: 'select',
    before: 'document.getElementById("select").focus()',
    act: (who) => who.press('ArrowDown'),
  },
  'a choice from a list': {
    field: 'select',
    act: (who) => {
      who.click(...SELECT);
      who.press('ArrowDown');
      who.press('Enter');
    },
  },
  'a checkbox': { field: 'check', act: (who) => who.click(...CHECK) },
  'the label of a checkbox': { field: 'check', act: (who) => who.click(...LABEL) },
  'a finger on a checkbox': { field: 'check', act: (who) => who.tap(CHECK) },
  'Space on a checkbox': {
    field: 'check',
    before: 'document.getElementById("check").focus()',
    act: (who) => who.space(),
  },
  'a slider': { field: 'range', act: (who) => who.click(RANGE[0] + 100, RANGE[1]) },
  'a date': {
    field: 'date',
    act: (who) => {
      who.click(...DATE);
      for (const digit of '01022024') who.press(`Digit${digit}`);
    },
  },
  'an editor': {
    field: 'rich',
    act: (who) => {
      who.click(...RICH);
      who.press('KeyX');
    },
  },
  'a part of an editor': {
    field: 'partly',
    act: (who) => {
      who.click(...PARTLY);
      who.press('KeyX');
    },
  },
  'all of an editor with such a part': {
    field: 'partly',
    act: (who) => {
      who.click(...PARTLY);
      who.press('Control+KeyA');
      who.press('Delete');
    },
  },
  'a shadow tree': {
    field: 'open',
    act: (who) => {
      who.click(...RIGHT_OPEN);
      who.press('KeyX');
    },
  },
  'a closed shadow tree': {
    field: 'closed',
    act: (who) => {
      who.click(...RIGHT_CLOSED);
      who.press('KeyX');
    },
  },
  'the reset of its form': {
    field: 'kept',
    act: (who) => who.click(...RESET),
  },
  'a menu’s paste': {
    field: 'plain',
    act: async (who) => {
      await who.copies();
      who.click(...PLAIN, 2);
      who.press('KeyP');
    },
  },
};

test.describe('a masked field', () => {
  test.beforeAll(async ({ service, pages }) => {
    page = pages.page('masked');
    await open(service, page.url);
    await page.fills(SIZE);
  });

  /** Does it one way, on a page as it was at first; only the field that is meant may change. Whether it does. */
  async function changes(who: Person, name: string, { field, act, before }: Way): Promise<boolean> {
    await page.run('renew()');
    if (before) await page.run(before);
    const { [field]: old, ...othersBefore } = await fields();
    await act(who);
    await through(who);
    const { [field]: value, ...others } = await fields();
    assert.deepEqual(others, othersBefore, name);
    return value !== old;
  }

  test('takes nothing from who has no role for it, in any of 26 ways', async () => {
    const leaks: string[] = [];
    for (const [name, way] of Object.entries(WAYS)) if (await changes(guest, name, way)) leaks.push(name);
    assert.deepEqual(leaks, []);
  });

  test('takes from who has the role what any field takes, in all of these ways', async () => {
    // Chromium may throw away what people do while a machine is busy; what was refused by mistake would be refused again.
    for (const [name, way] of Object.entries(WAYS))
      await until(name, () => changes(owner, name, way), 30_000);
  });
});
