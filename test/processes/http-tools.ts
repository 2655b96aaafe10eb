import { execFile, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { promisify } from 'node:util';

/** A request, as a tool receives it. */
export interface Asked {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  /** Sent as `application/x-www-form-urlencoded` unless a header says otherwise, as tools do. */
  body?: Buffer | string | undefined;
}

/** Answer of a request. */
export interface Answered {
  status: number;
  body: string;
}

/** Sends a request by a tool. */
export type Tool = (asked: Asked) => Promise<Answered>;

const run = promisify(execFile);
/** Timeout for a request by a tool that is a program. */
const TOOL_TIMEOUT_MS = 30_000;

const FORM = 'application/x-www-form-urlencoded';

/** Sends as `curl -d` does. Older versions send an `Expect` header before a large body. */
const bySocket: Tool = async ({ method, url, headers, body }) => {
  const { hostname, port, pathname, search } = new URL(url);
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const large = (bytes?.length ?? 0) > 1024;
  const lines = {
    Host: `${hostname}:${port}`,
    'User-Agent': 'curl/7.68.0',
    Accept: '*/*',
    Connection: 'close',
    ...(bytes && { 'Content-Type': FORM, 'Content-Length': `${bytes.length}` }),
    ...(large && { Expect: '100-continue' }),
    ...headers,
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname);
  socket.write(`${method} ${pathname}${search} HTTP/1.1\r\n${head.join('')}\r\n`);
  if (bytes && !large) socket.write(bytes);
  let answer = '';
  for await (const part of socket.setEncoding('utf8')) {
    answer += String(part);
    if (!answer.startsWith('HTTP/1.1 100 Continue\r\n\r\n')) continue;
    answer = answer.slice('HTTP/1.1 100 Continue\r\n\r\n'.length);
    if (bytes) socket.write(bytes);
  }
  const [top = '', content = ''] = answer.split('\r\n\r\n');
  return { status: Number(top.split(' ')[1]), body: content };
};

const byCurl: Tool = async ({ method, url, headers, body }) => {
  const said = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const data = body === undefined ? [] : ['--data-binary', '@-'];
  const asked = ['-s', '-S', '-w', '\n%{http_code}', '-X', method, ...said, ...data, url];
  const running = run('curl', asked, { timeout: TOOL_TIMEOUT_MS });
  running.child.stdin?.end(body);
  const { stdout } = await running;
  const end = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) };
};

/** Sends as a Flask view does without further packages. */
const PYTHON = `
import json, sys, urllib.error, urllib.request
asked = json.loads(sys.argv[1])
data = sys.stdin.buffer.read() if asked["sends"] else None
request = urllib.request.Request(asked["url"], data, asked["headers"], method=asked["method"])
try:
    answer = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    answer = error
print(answer.status)
sys.stdout.write(answer.read().decode())
`;

const byPython: Tool = async ({ body, ...asked }) => {
  const told = JSON.stringify({ ...asked, sends: body !== undefined });
  const running = run('python3', ['-c', PYTHON, told], { timeout: TOOL_TIMEOUT_MS });
  running.child.stdin?.end(body);
  const [status = '', ...lines] = (await running).stdout.split('\n');
  return { status: Number(status), body: lines.join('\n') };
};

const installed = (program: string) =>
  spawnSync(program, ['--version'], { timeout: TOOL_TIMEOUT_MS }).status === 0;

/** The tools on this machine. The first one is always available. It sends the bytes of another tool. */
export const TOOLS: Record<string, Tool> = {
  'bytes of curl': bySocket,
  ...(installed('curl') && { curl: byCurl }),
  ...(installed('python3') && { 'Python, as in a view of Flask': byPython }),
};
