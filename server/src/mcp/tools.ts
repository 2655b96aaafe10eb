import type { Screenshot } from 'cloud-browser/protocol';
import { FILE_TOOLS } from './file-tools.js';
import { acts, INPUT_TOOLS, SETTLE, settled } from './input-tools.js';
import type { McpBrowser } from './mcp-browser.js';
import type { ToolContent } from './tool-content.js';
import { choice, flag, number, string, text, type BrowserTool, type ToolArguments } from './tool-schema.js';

/** Longest wait for a person in one call, in seconds. Clients time out after a minute. */
const HUMAN_WAIT_SECONDS = 45;
/** Time in which a person can answer, in seconds. */
const HUMAN_SECONDS = 600;

/** Sentence about a tab that still waits for its web server. */
const WAITS =
  'The web server has not answered yet, so this is the page before. Use snapshot again later, or open another address.';
/** Line about a page that is a PDF. */
const PDF =
  'The page is a PDF, and its text is not part of the snapshot. To read it, use screenshot and scroll. Or press Control+P with key, which downloads the file, then use files and read_file.\n';
/** Sentences about an address that has not changed the page, by the reason. */
const UNCHANGED = {
  download:
    'The address is a file, so a download has begun and the page has not changed. Use files to find it, and read_file to read it. This is the page before.',
  no_document:
    'The web server sent no document, or the navigation was cancelled, so the page has not changed. This is the page before.',
} as const;

/** The tools, in the order in which clients list them. */
export const TOOLS: readonly BrowserTool[] = [
  {
    name: 'open',
    description: 'Opens an address in the browser. Returns the text of the page.',
    inputSchema: {
      type: 'object',
      properties: {
        url: string('Address.'),
        new_tab: flag('True: opens a new tab.'),
        force: flag('True: leaves a page that does not answer or has a dialog open.'),
      },
      required: ['url'],
    },
    readOnly: false,
    run: async (browser, args) => {
      const { unchanged } = await browser.call('open', args);
      await settled(browser);
      return snapshot(browser, unchanged && UNCHANGED[unchanged]);
    },
  },
  {
    name: 'snapshot',
    description:
      'Returns the active page as text, with a reference for each element. Use it before click and type.',
    inputSchema: {
      type: 'object',
      properties: {
        after: string(
          'Returns the text after this reference. Only to read on in a text that has ended early.',
        ),
        links: flag('True: adds the addresses of links.'),
      },
    },
    readOnly: true,
    run: (browser, args) => snapshot(browser, '', args),
  },
  ...INPUT_TOOLS,
  {
    name: 'wait',
    description: 'Waits, for example for a page that is still working.',
    inputSchema: {
      type: 'object',
      properties: { milliseconds: number('At most 10000. Default: 1000.') },
    },
    readOnly: true,
    run: async (browser, args) => {
      await browser.call('wait', args);
      return text('Done. Use snapshot to see the page.');
    },
  },
  {
    name: 'screenshot',
    description: 'Returns a picture of the screen. Use snapshot if text is enough.',
    inputSchema: {
      type: 'object',
      properties: { cursor: flag('True: shows the pointer.') },
    },
    readOnly: true,
    run: async (browser, { cursor }) => {
      const options = { ...SETTLE, ...(cursor !== undefined && { cursor }) };
      const shot = browser.call('screenshot', { ...options, format: 'png' });
      return image(
        await shot.catch((error: unknown) => {
          // The model cannot choose another format, because the tool has no argument for it.
          if (!isTooLarge(error)) throw error;
          return browser.call('screenshot', { ...options, format: 'jpeg' });
        }),
      );
    },
  },
  {
    name: 'tabs',
    description: 'Lists the tabs. Activates, closes or reloads one, or goes back or forward in it.',
    inputSchema: {
      type: 'object',
      properties: {
        action: choice(['list', 'activate', 'close', 'reload', 'back', 'forward'], 'Default: list.'),
        id: number('The id of a tab. Default: the active tab.'),
      },
    },
    readOnly: false,
    run: async (browser, args) => {
      const { tabs, loading } = await browser.call('tabs', args);
      const line = ({ id, title, url, active }: (typeof tabs)[0]) =>
        `${active ? '*' : '-'} ${id}: ${JSON.stringify(title)} ${url}`;
      const waits = loading ? [WAITS] : [];
      return text([...waits, ...tabs.map(line)].join('\n'));
    },
  },
  {
    name: 'dialog',
    description:
      'Answers the dialog that the page shows: alert, confirm, prompt, or the question whether to leave it.',
    inputSchema: {
      type: 'object',
      properties: {
        accept: flag('True: OK, or leave the page. False: Cancel, or stay.'),
        text: string('Answer to a prompt.'),
      },
      required: ['accept'],
    },
    readOnly: false,
    run: acts('dialog'),
  },
  ...FILE_TOOLS,
  {
    name: 'request_human',
    description:
      'Asks a person for help, for example with a login or a captcha, and waits. If nobody has answered after 45 seconds, call it again with the id. You have no control until a person has answered, or until you withdraw the request.',
    inputSchema: {
      type: 'object',
      properties: {
        instructions: string('What the person should do.'),
        id: string('Instead of instructions: the id of an earlier request.'),
        withdraw: flag('True: withdraws the request of the id, to go on without a person.'),
      },
    },
    readOnly: false,
    run: async (browser, { instructions, id, withdraw }) => {
      const task = typeof instructions === 'string' ? instructions : '';
      const isNew = typeof id !== 'string';
      const request = isNew ? await browser.requestHuman(task, HUMAN_SECONDS) : { id };
      const next = `Call request_human with id ${JSON.stringify(request.id)} to keep waiting. Add withdraw: true to go on without a person.`;
      const asked =
        withdraw === true
          ? browser.withdrawHuman(request.id)
          : browser.humanAnswer(request.id, HUMAN_WAIT_SECONDS);
      const { outcome, note } = await asked.catch((cause: unknown) => {
        // Without the id, the model could not withdraw the new request.
        if (!isNew || !(cause instanceof Error)) throw cause;
        throw new Error(`${cause.message} The request may still be open. ${next}`, { cause });
      });
      const added = note === '' ? '' : ` Note of the person: ${JSON.stringify(note)}`;
      return text(outcome === null ? `Nobody has answered yet. ${next}` : `Outcome: ${outcome}.${added}`);
    },
  },
];

/** @param about sentence about the page, for the first line */
async function snapshot(
  browser: McpBrowser,
  about = '',
  options: ToolArguments = {},
): Promise<ToolContent[]> {
  const page = await browser.call('accessibility', options);
  const { dialog, loading, next, pdf, sign_in: signIn } = page;
  const readOn = next === undefined ? '' : ` Use snapshot with after: ${JSON.stringify(next)} to read on.`;
  const rest = page.complete || dialog || loading ? '' : `\n(The page has more nodes.${readOn})`;
  const shown = dialog
    ? `A dialog is open (${dialog.type}): ${JSON.stringify(dialog.message)}. Answer it with the tool dialog.\n`
    : '';
  const waits = loading ? `${WAITS}\n` : '';
  const first = about === '' ? '' : `${about}\n`;
  const asks = signIn
    ? 'The browser asks for a user name and a password in a window of its own. Use request_human. Or type the user name, press Tab, type the password, and press Enter. Escape cancels.\n'
    : '';
  return text(
    `${first}Page: ${JSON.stringify(page.title)} ${page.url}\n${waits}${asks}${pdf ? PDF : ''}${shown}\n${page.text}${rest}`,
  );
}

/** True if a screenshot failed because its picture has too many bytes. */
function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'err_picture_too_large';
}

function image({ format, data }: Screenshot): ToolContent[] {
  return [{ type: 'image', data, mimeType: `image/${format}` }];
}
