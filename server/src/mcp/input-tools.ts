import type { McpBrowser } from './mcp-browser.js';
import { choice, flag, number, string, text, type BrowserTool } from './tool-schema.js';

/**
 * Options of a wait after an action, in milliseconds. `wait_for_stable`: time for which the screen must not
 * change. `timeout`: limit of the whole wait.
 */
export const SETTLE = { wait_for_stable: 200, timeout: 3_000 };

const REF = string('Reference of an element in the newest snapshot, such as e12.');
const POINT = {
  x: number('Instead of ref: pixels from the left edge of the screenshot.'),
  y: number('Instead of ref: pixels from the upper edge of the screenshot.'),
};

/** The tools for mouse and keyboard, in the order in which clients list them. */
export const INPUT_TOOLS: readonly BrowserTool[] = [
  {
    name: 'click',
    description: 'Clicks an element or a position.',
    inputSchema: {
      type: 'object',
      properties: {
        ref: REF,
        ...POINT,
        button: choice(['left', 'middle', 'right'], 'Default: left.'),
        count: number('2: a double click.'),
        modifiers: {
          ...{ type: 'array', items: { type: 'string' } },
          description: 'Keys that are held: Shift, Control, Alt or Meta.',
        },
      },
    },
    readOnly: false,
    run: acts('click'),
  },
  {
    name: 'hover',
    description: 'Moves the pointer over an element or a position, for example to open a menu.',
    inputSchema: { type: 'object', properties: { ref: REF, ...POINT } },
    readOnly: false,
    run: acts('move'),
  },
  {
    name: 'drag',
    description: 'Drags an element or a position to another one. Both must be on the screen.',
    inputSchema: {
      type: 'object',
      properties: {
        ref: REF,
        ...POINT,
        to_ref: string('Reference of the element to drop it on.'),
        to_x: number('Instead of to_ref: pixels from the left edge of the screenshot.'),
        to_y: number('Instead of to_ref: pixels from the upper edge of the screenshot.'),
      },
    },
    readOnly: false,
    run: (browser, { ref, x, y, to_ref: toRef, to_x: toX, to_y: toY }) => {
      const path = [
        { ref, x, y },
        { ref: toRef, x: toX, y: toY },
      ];
      return acts('drag')(browser, { path });
    },
  },
  {
    name: 'type',
    description: 'Types text with the keyboard, into an element if ref is given, otherwise at the focus.',
    inputSchema: {
      type: 'object',
      properties: {
        text: string('Text. A line break is the key Enter.'),
        ref: REF,
        replace: flag('True: replaces the content of the field.'),
        submit: flag('True: presses Enter afterwards.'),
      },
      required: ['text'],
    },
    readOnly: false,
    run: acts('type'),
  },
  {
    name: 'select',
    description: 'Chooses an option of a list, or sets a slider or a date.',
    inputSchema: {
      type: 'object',
      properties: { ref: REF, value: string('Text of the option, or the value.') },
      required: ['ref', 'value'],
    },
    readOnly: false,
    run: acts('set'),
  },
  {
    name: 'key',
    description: 'Presses a key or a shortcut, such as Enter or Control+A.',
    inputSchema: {
      type: 'object',
      properties: { key: string('Name of the key or the shortcut.'), count: number('Number of presses.') },
      required: ['key'],
    },
    readOnly: false,
    run: acts('key'),
  },
  {
    name: 'scroll',
    description: 'Scrolls the element or the position. Without both, scrolls in the middle of the screen.',
    inputSchema: {
      type: 'object',
      properties: {
        ref: REF,
        ...POINT,
        delta_x: number('Pixels to the right.'),
        delta_y: number('Pixels down.'),
      },
    },
    readOnly: false,
    run: acts('scroll'),
  },
];

/**
 * Returns the `run` function of a tool that performs an action. The result says only that the action is done.
 */
export function acts(
  method: 'click' | 'move' | 'drag' | 'type' | 'set' | 'key' | 'scroll' | 'dialog',
): BrowserTool['run'] {
  return async (browser, args) => {
    await browser.call(method, args);
    await settled(browser);
    return text('Done. Use snapshot to see the result.');
  };
}

/** Waits until the screen has stopped changing after an action. */
export async function settled(browser: McpBrowser): Promise<void> {
  const region = { x: 0, y: 0, width: 1, height: 1 };
  // Takes a screenshot only to wait until the screen is stable. Ignores errors, because some callers have the
  // right to act but not the right to see the screen.
  await browser.call('screenshot', { ...SETTLE, region }).catch(() => undefined);
}
