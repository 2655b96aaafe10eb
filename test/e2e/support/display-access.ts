import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** An X server's answer to a new connection: the first byte of its set-up reply (X11 protocol, section 8). */
const ANSWERS = ['refused', 'admitted', 'more authentication wanted'];

/**
 * Connects to an X display's socket and prints the first byte of the answer. Prints it as a text, because
 * Node may print a number in colours. Imports no package, because it runs as a user who cannot read this
 * repository.
 */
const SCRIPT = `
  const [socket, cookie] = process.argv.slice(1);
  const name = Buffer.from(cookie ? 'MIT-MAGIC-COOKIE-1' : '');
  const data = Buffer.from(cookie ?? '', 'hex');
  const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
  const head = Buffer.alloc(12);
  head.write('l');
  head.writeUInt16LE(11, 2);
  head.writeUInt16LE(name.length, 6);
  head.writeUInt16LE(data.length, 8);
  const connection = require('node:net').connect(socket);
  connection.on('error', ({ code }) => { console.log(code); process.exit(); });
  connection.on('data', (answer) => { console.log(String(answer[0])); process.exit(); });
  connection.write(Buffer.concat([head, padded(name), padded(data)]));
`;

/** Tries to connect to a display's socket as some user, with the cookie (hex) or without one. */
export async function knock(socket: string, uid: number, cookie?: string): Promise<string> {
  const user = ['--reuid', `${uid}`, '--regid', `${uid}`, '--clear-groups', '--'];
  const script = [process.execPath, '-e', SCRIPT, socket, ...(cookie === undefined ? [] : [cookie])];
  const { stdout } = await promisify(execFile)('setpriv', [...user, ...script], { cwd: '/' });
  const answer = stdout.trim();
  return ANSWERS[Number(answer)] ?? answer;
}
