/**
 * A scripted host that records when its session begins and ends. It uses the machine's monotonic clock, which
 * all processes share. The tests check the nodes' statements against these records.
 */
import { appendFileSync } from 'node:fs';

const { LIVES_FILE } = process.env;
/** A session's start address is `about:tag-` and its tag. */
const TAG = 'about:tag-';
let session;

/** `ago`: milliseconds since it happened. */
function write(what, ago = 0) {
  const [seconds, nanoseconds] = process.hrtime();
  const { sessionId: id, startUrl } = session;
  const tag = startUrl.startsWith(TAG) ? startUrl.slice(TAG.length) : null;
  const line = { id, tag, what, at: seconds * 1_000 + nanoseconds / 1e6 - ago, pid: process.pid };
  appendFileSync(LIVES_FILE, `${JSON.stringify(line)}\n`);
}

process.on('message', (message) => {
  if (message.type !== 'start') return;
  session = message.session;
  // Its node began the session when it started this process. The node may have answered before this process
  // has read the message.
  write('begin', performance.now());
});
let over = false;
function end() {
  if (session && !over) write('end');
  over = true;
}
process.on('exit', end);
// After this message nothing of the session runs any more. The process itself ends a moment later.
const send = process.send.bind(process);
process.send = (message, ...rest) => {
  if (message.type === 'ended') end();
  return send(message, ...rest);
};
await import('../../fakes/scripted-host.mjs');
