import { fileContent, MAX_RESULT_BYTES } from './file-results.js';
import { string, text, type BrowserTool, type ToolArguments } from './tool-schema.js';

/**
 * Text in Base64. Line breaks and spaces are allowed. Only one part of the expression can match at each
 * position, so the check of a long invalid text takes linear time.
 */
const BASE64 = /^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/;

/** The tools for files, in the order in which clients list them. */
export const FILE_TOOLS: readonly BrowserTool[] = [
  {
    name: 'files',
    description: 'Lists the files that pages offered as downloads.',
    inputSchema: { type: 'object', properties: {} },
    readOnly: true,
    run: async (browser) => {
      const { files } = await browser.call('files', {});
      const line = ({ id, name, size, state }: (typeof files)[0]) =>
        `- ${JSON.stringify(name)} ${state}${size === null ? '' : `, ${size} bytes`} [id=${id}]`;
      return text(files.map(line).join('\n') || 'There are no downloads.');
    },
  },
  {
    name: 'read_file',
    description: 'Returns the content of a finished download of at most 1 MB, as text, picture or base64.',
    inputSchema: {
      type: 'object',
      properties: { id: string('The id of a download, as files lists it.') },
      required: ['id'],
    },
    readOnly: true,
    run: async (browser, { id }) => {
      const download = typeof id === 'string' ? id : '';
      return fileContent(download, await browser.readDownload(download));
    },
  },
  {
    name: 'upload_file',
    description:
      'Sends a file of at most 1 MB to the session. Returns its id, which choose_files accepts for 15 minutes.',
    inputSchema: {
      type: 'object',
      properties: {
        name: string('Name of the file.'),
        content: string('The content of a text file.'),
        base64: string('The content of any other file, in Base64. Send it instead of content.'),
      },
      required: ['name'],
    },
    readOnly: false,
    run: async (browser, args) => {
      const { name } = args;
      if (typeof name !== 'string') throw new Error('name must be a text.');
      const { id } = await browser.uploadFile(name, bytesOf(args));
      return text(`Sent. [id=${id}] Click the file field of the page, then use choose_files with the id.`);
    },
  },
  {
    name: 'choose_files',
    description:
      'Gives files to the page that asks for them. Click the file field first. An empty list tells the page that no file was chosen.',
    inputSchema: {
      type: 'object',
      properties: {
        files: {
          ...{ type: 'array', items: { type: 'string' } },
          description: 'Ids of uploads or downloads.',
        },
      },
      required: ['files'],
    },
    readOnly: false,
    run: async (browser, { files }) => {
      await browser.call('choose', { files });
      return text('Done. The page has the files.');
    },
  },
];

/** Returns the bytes of a file. Throws an error for the model if the content is invalid or too large. */
function bytesOf({ content, base64 }: ToolArguments): Uint8Array {
  const isText = typeof content === 'string';
  if (isText === (typeof base64 === 'string')) throw new Error('Send either content or base64, as a text.');
  const source = isText ? content : String(base64);
  if (!isText && !BASE64.test(source)) throw new Error('base64 must be text in Base64.');
  const bytes = Buffer.from(source, isText ? 'utf8' : 'base64');
  if (bytes.length <= MAX_RESULT_BYTES) return bytes;
  const message = `The file has ${bytes.length} bytes. A tool accepts at most ${MAX_RESULT_BYTES}.`;
  throw new Error(`${message} A program can send it over HTTP: POST {session}/uploads.`);
}
