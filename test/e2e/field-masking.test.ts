import assert from 'node:assert/strict';
import type { CloudBrowserClient } from '../../src/core/index.js';
import { Hands } from './support/hands.js';
import type { HostedPage } from './support/hosted-page.js';
import { connectClient } from './support/sdk-client.js';
import type { Service, Session } from './support/service.js';
import { cleanUpAtEnd, test } from './support/test.js';

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
  copies(): void {
    this.click(...FREE);
    this.press('Control+KeyA');
    this.press('KeyQ');
    this.press('Control+KeyA');
    this.press('Control+KeyC');
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

/** Resolves when all that this person has done before is through: what they write into the free field comes behind it. */
async function through(who: Person): Promise<void> {
  who.press('Escape');
  who.click(...FREE);
  who.press('Control+KeyA');
  const mark = `m${Math.random()}`;
  who.text(mark);
  await page.until('the mark is there', (state) => String(state['free']).includes(mark));
}

/** Ways to write into a masked field, and the field that each changes. */
const WAYS: Record<string, { field: string; act: (who: Person) => void | Promise<void>; before?: string }> = {
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
    act: (who) => {
      who.copies();
      who.click(...PLAIN);
      who.press('Control+KeyV');
    },
  },
  'Shift+Insert': {
    field: 'plain',
    act: (who) => {
      who.copies();
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
    act: (who) => {
      who.copies();
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
    act: (who) => {
      who.copies();
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

  /** The ways by which somebody changes the field that they are for; another field never changes. */
  async function worksFor(who: Person): Promise<string[]> {
    const works: string[] = [];
    for (const [name, { field, act, before }] of Object.entries(WAYS)) {
      await page.run('renew()');
      if (before) await page.run(before);
      const was = await fields();
      await act(who);
      await through(who);
      const { [field]: value, ...others } = await fields();
      const { [field]: old, ...othersBefore } = was;
      assert.deepEqual(others, othersBefore, name);
      if (value !== old) works.push(name);
    }
    return works;
  }

  test('takes nothing from who has no role for it, in any of 26 ways', async () => {
    assert.deepEqual(await worksFor(guest), []);
  });

  test('takes from who has the role what any field takes, in all of these ways', async () => {
    assert.deepEqual(await worksFor(owner), Object.keys(WAYS));
  });
});
