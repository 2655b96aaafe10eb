import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  actionOf,
  type ActionParts,
} from '../../../../server/src/host/features/computer/computer-actions.js';
import type { ComputerAgent } from '../../../../server/src/host/features/computer/computer-agent.js';
import type { PageReading } from '../../../../server/src/host/features/computer/page/page-reading.js';
import { targetNodes } from '../../../../server/src/host/features/computer/page/target-nodes.js';

/** Performs an action on a page with one node. Returns what was done to the node, in order. */
async function doneTo(role: string, type: string, fields: Record<string, unknown>): Promise<unknown[]> {
  const done: unknown[] = [];
  const rights = { permissions: {}, roles: new Set(), tied: new Set() };
  const agent = { rights, acted: () => undefined, perform: (command: () => unknown) => command() };
  const reading = {
    nodes: () =>
      Promise.resolve({
        accessibility: { tree: { node: (id: number) => (id === 7 ? { facts: { role } } : undefined) } },
        accessibilityActions: {
          perform: (_: unknown, node: number, act: string, value: string) => {
            done.push([act, node, value]);
            return Promise.resolve('done');
          },
        },
      }),
  };
  const nodes = targetNodes(
    agent as unknown as ComputerAgent,
    reading as unknown as PageReading,
    () => undefined,
  );
  const hands = {
    click: () => {
      done.push('click');
      return Promise.resolve(true);
    },
    key: ({ key }: { key: string }) => Promise.resolve(void done.push(key)),
    type: (text: string) => Promise.resolve(void done.push(['keys', text])),
  };
  await actionOf(type, fields)({ hands, nodes, acted: () => undefined } as unknown as ActionParts);
  return done;
}

describe('the action type', () => {
  const fields = { ref: 'e7', text: '2026-12-31' };

  // Keys change one part of a date, so the keys of a date enter another date.
  for (const role of ['Date', 'DateTime', 'InputTime', 'ColorWell', 'slider'])
    it(`sets the value of a node with the role ${role}`, async () => {
      const set = ['set', 7, fields.text];
      assert.deepEqual(await doneTo(role, 'type', fields), [set]);
      assert.deepEqual(await doneTo(role, 'type', { ...fields, replace: true, submit: true }), [
        set,
        'Enter',
      ]);
    });

  it('does not click a node that has a state instead of a text', async () => {
    for (const role of ['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio'])
      assert.deepEqual(await doneTo(role, 'type', fields), [['set', 7, fields.text]]);
  });

  it('uses the keyboard for other nodes', async () => {
    const keys = ['keys', fields.text];
    for (const role of ['textbox', 'spinbutton', 'combobox'])
      assert.deepEqual(await doneTo(role, 'type', fields), ['click', keys]);
    assert.deepEqual(await doneTo('textbox', 'type', { ...fields, replace: true }), ['click', 'a', keys]);
  });
});

describe('the action set', () => {
  it('needs a text, to which the service converts a number', async () => {
    assert.deepEqual(await doneTo('slider', 'set', { ref: 'e7', value: '70' }), [['set', 7, '70']]);
    for (const value of [70, NaN, Infinity, true, {}, undefined])
      assert.throws(() => actionOf('set', { ref: 'e7', value }), { code: 'err_invalid_parameter' });
  });
});

describe('the action click on a node that the pointer cannot reach', () => {
  /** Returns the nodes that a script has clicked. */
  async function clicked(fields: object): Promise<number[]> {
    const nodes: number[] = [];
    const parts = {
      acted: () => undefined,
      hands: { click: () => Promise.resolve(false) },
      nodes: { click: (node: number) => Promise.resolve(void nodes.push(node)) },
    };
    await actionOf('click', { ref: 'e7', ...fields })(parts as unknown as ActionParts);
    return nodes;
  }

  it('uses a script', async () => {
    assert.deepEqual(await clicked({}), [7]);
  });

  it('fails if a script would click otherwise than asked', async () => {
    for (const fields of [{ button: 'right' }, { count: 2 }, { modifiers: ['Control'] }])
      await assert.rejects(clicked(fields), { code: 'err_call_failed', message: /covers it.*use x and y/ });
  });
});

describe('the action scroll', () => {
  it('needs no target', async () => {
    const at: unknown[] = [];
    const hands = {
      scroll: async (place: () => Promise<unknown>, distance: unknown) =>
        void at.push(await place(), distance),
    };
    const parts = { hands, acted: () => undefined, screen: () => ({ width: 801, height: 600 }) };
    await actionOf('scroll', { delta_y: 300 })(parts as unknown as ActionParts);
    assert.deepEqual(at, [
      { x: 401, y: 300 },
      { x: 0, y: 300 },
    ]);
    const closed = { ...parts, screen: () => undefined };
    await assert.rejects(actionOf('scroll', { delta_y: 300 })(closed as unknown as ActionParts), {
      code: 'err_browser_unavailable',
    });
  });
});

describe('a wrong key', () => {
  it('is refused with the names of the modifiers', () => {
    for (const key of ['hyper+l', 'cmd+c', 'Nothing'])
      assert.throws(() => actionOf('key', { key }), {
        message: /Shift, Control, Alt and Meta\. Use Control for cmd\.$/,
      });
  });
});
