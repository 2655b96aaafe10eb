import { PICTURE_FORMATS, type ComputerMethod } from 'cloud-browser/protocol';
import { Type, type TObject } from 'typebox';
import { exact, numbersToo } from '../../../create-fields/expected.js';
import { oneOf } from '../../../create-fields/schema-parts.js';

/** Part of the screen that a screenshot shows. */
const Region = Type.Object(
  { x: Type.Number(), y: Type.Number(), width: Type.Number(), height: Type.Number() },
  { description: 'The part of the screen, in pixels of the screen. Default: the whole screen.' },
);

const ABOUT = {
  quality: 'Of jpeg and webp, 1 to 100. Default 85.',
  scale: 'Size of the picture relative to the screen, 0.05 to 1. Default 1.',
  stable: 'Waits until nothing has changed for this many milliseconds, 0 to 5000. Default 0.',
  timeout: 'Limit of that wait in milliseconds, 0 to 15000. Default 5000.',
};

const picture = {
  format: Type.Optional(oneOf(PICTURE_FORMATS, { description: 'Default: png.' })),
  quality: Type.Optional(Type.Number({ description: ABOUT.quality })),
  region: Type.Optional(Region),
  scale: Type.Optional(Type.Number({ description: ABOUT.scale })),
  cursor: Type.Optional(Type.Boolean({ description: 'True: shows the pointer. Default false.' })),
  wait_for_stable: Type.Optional(Type.Number({ description: ABOUT.stable })),
  timeout: Type.Optional(Type.Number({ description: ABOUT.timeout })),
};

const target = {
  ref: Type.Optional(Type.String({ description: 'A node of the accessibility text, such as e12.' })),
  x: Type.Optional(Type.Number({ description: 'Pixels from the left edge of the screen.' })),
  y: Type.Optional(Type.Number({ description: 'Pixels from the upper edge of the screen.' })),
  scale: Type.Optional(
    Type.Number({ description: 'Scale of the screenshot that x and y refer to. Default 1.' }),
  ),
};
/** A text that may be empty, for example to clear a field. Models send digits as a number. */
const exactText = (description: string) => Type.String({ description, ...exact, ...numbersToo });
const button = Type.Optional(oneOf(['left', 'middle', 'right'] as const, { description: 'Default: left.' }));

/** Bodies of `POST {session}/computer/{method}`, by method. The session checks the values. */
export const COMPUTER_BODIES: Record<ComputerMethod, TObject> = {
  screenshot: Type.Object(picture),
  accessibility: Type.Object({
    after: Type.Optional(
      Type.String({
        description: 'The text starts after the line of this reference. Default: at the start.',
      }),
    ),
    links: Type.Optional(
      Type.Boolean({ description: 'True: the text has the addresses of links. Default false.' }),
    ),
  }),
  click: Type.Object({
    ...target,
    button,
    count: Type.Optional(Type.Number({ description: '1 to 3. 2: a double click. Default 1.' })),
    modifiers: Type.Optional(
      Type.Array(Type.String(), { description: 'Of Shift, Control, Alt and Meta. Default: none.' }),
    ),
  }),
  move: Type.Object(target),
  drag: Type.Object({
    path: Type.Array(Type.Object({ ref: target.ref, x: target.x, y: target.y }), {
      description: '2 to 100 targets. The button is pressed at the first and released at the last one.',
    }),
    button,
    scale: target.scale,
  }),
  scroll: Type.Object({
    ...target,
    delta_x: Type.Optional(Type.Number({ description: 'CSS pixels to the right. Default 0.' })),
    delta_y: Type.Optional(Type.Number({ description: 'CSS pixels down. Default 0.' })),
  }),
  type: Type.Object({
    text: exactText('At most 10,000 characters. A line break is the key Enter.'),
    ...target,
    replace: Type.Optional(
      Type.Boolean({ description: 'True: replaces the content of the field. Default false.' }),
    ),
    submit: Type.Optional(Type.Boolean({ description: 'True: presses Enter afterwards. Default false.' })),
  }),
  key: Type.Object({
    key: Type.String({ description: 'Name of a key or a shortcut: Enter, a, Control+Shift+T.' }),
    count: Type.Optional(Type.Number({ description: '1 to 100. Default 1.' })),
  }),
  set: Type.Object({
    ref: target.ref,
    value: exactText('Value of a field or a slider, or the text of an option of a list.'),
  }),
  open: Type.Object({
    url: Type.String({ description: 'An http or https address, or a domain.' }),
    new_tab: Type.Optional(Type.Boolean({ description: 'True: opens a new tab. Default false.' })),
    force: Type.Optional(
      Type.Boolean({
        description:
          'True: leaves a page that does not answer or has a dialog open. Data of the page is lost.',
      }),
    ),
  }),
  tabs: Type.Object({
    action: Type.Optional(
      oneOf(['list', 'activate', 'close', 'reload', 'back', 'forward'] as const, {
        description: 'Default: list. The answer contains the tabs after the action.',
      }),
    ),
    id: Type.Optional(Type.Number({ description: 'The id of a tab. Default: the active tab.' })),
  }),
  files: Type.Object({}),
  choose: Type.Object({
    files: Type.Array(Type.String(), {
      description: 'Ids of uploads or downloads. Empty: the page gets an empty choice.',
    }),
    timeout: Type.Optional(
      Type.Number({
        description:
          'Longest wait for a page that asks for files, in milliseconds, 0 to 15000. Default 5000.',
      }),
    ),
  }),
  dialog: Type.Object({
    accept: Type.Boolean({ description: 'True: OK, or leave the page. False: Cancel, or stay.' }),
    text: Type.Optional(exactText('Answer to a prompt, at most 4096 characters. Only with accept: true.')),
  }),
  wait: Type.Object({
    milliseconds: Type.Optional(Type.Number({ description: '0 to 10000. Default 1000.' })),
  }),
  batch: Type.Object({
    actions: Type.Array(Type.Object({ type: Type.String() }), {
      description: '1 to 50 actions: the body of another method, with the name of the method as type.',
    }),
    continue_on_error: Type.Optional(
      Type.Boolean({ description: 'True: a failed action does not end the batch. Default false.' }),
    ),
  }),
};

/** Summaries of the methods, for the documentation. */
export const COMPUTER_SUMMARIES: Record<ComputerMethod, string> = {
  screenshot: 'Take a screenshot, as JSON',
  accessibility: 'Read the page as text',
  click: 'Click',
  move: 'Move the pointer',
  drag: 'Drag',
  scroll: 'Scroll',
  type: 'Type text',
  key: 'Press a key or a shortcut',
  set: 'Set the value of a field, a list or a slider',
  open: 'Open an address',
  tabs: 'List or use the tabs',
  files: 'List the downloads',
  choose: 'Give files to the page that asks for them',
  dialog: 'Answer the dialog of the page',
  wait: 'Wait',
  batch: 'Perform several actions',
};

/** Query of `GET {session}/screenshot`. */
export const ScreenshotQuery = Type.Object({
  format: Type.Optional(Type.String({ description: 'png, jpeg or webp. Default png.' })),
  quality: Type.Optional(Type.String({ description: ABOUT.quality })),
  region: Type.Optional(Type.String({ description: 'x,y,width,height in pixels of the screen.' })),
  scale: Type.Optional(Type.String({ description: ABOUT.scale })),
  cursor: Type.Optional(Type.String({ description: 'true: shows the pointer. Default false.' })),
  wait_for_stable: Type.Optional(Type.String({ description: ABOUT.stable })),
  timeout: Type.Optional(Type.String({ description: ABOUT.timeout })),
});

/** Result of a method. */
export const ComputerAnswer = Type.Unknown({
  description:
    'screenshot: the picture, base64 in data. accessibility: the text. tabs and files: a list. batch: the result of each action in steps. Otherwise {"done": true}.',
});

/** A message of the Model Context Protocol. The library checks it. */
export const McpMessage = Type.Unknown({ description: 'A JSON-RPC message of the Model Context Protocol.' });
