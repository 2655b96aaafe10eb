/**
 * A session host that runs no programs. It exchanges the messages of the real host. The start address of the
 * session, such as `about:exit`, sets its behaviour. The pool starts it instead of the real host.
 */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endRecording, record } from './scripted-recording.mjs';

const place = JSON.parse(process.argv[2]);
const expected = JSON.parse(process.argv[3] ?? '{}');
if (place.directory.endsWith('fails')) process.exit(3);
if (place.uid !== undefined) {
  process.setgid(place.gid);
  process.setuid(place.uid);
}
process.on('disconnect', () => process.exit(0));
process.on('message', (message, socket) => {
  switch (message.type) {
    case 'prepare':
      // A browser that never comes.
      if (message.session.draw) return;
      prepared = 1;
      process.send({ type: 'prepared' });
      // A browser that does not last.
      if (message.session.dark) process.send({ type: 'unprepared', message: 'Chromium has ended.' });
      break;
    case 'start':
      start(message.session);
      break;
    case 'viewer':
      socket?.end(answerTo(message.viewer) + JSON.stringify({ pid: process.pid, viewer: message.viewer }));
      process.send({ type: 'viewers', count: 1 });
      break;
    case 'record':
      record(message.order);
      break;
    case 'endRecording':
      endRecording(message.reason);
      break;
    case 'ping':
      if (!deaf) process.send({ type: 'pong' });
      break;
    case 'stop':
      if (stubborn) return;
      end(message.reason);
  }
});
process.send({ type: 'ready' });

let prepared = 0;
let stubborn = false;
let deaf = false;
let shakesHands = false;

function start({ startUrl }) {
  if (startUrl.startsWith('about:fill-')) fill(Number(startUrl.slice('about:fill-'.length)));
  switch (startUrl) {
    case 'about:exit':
      process.stderr.write('the display is gone\n');
      process.exit(7);
      break;
    case 'about:ended':
      end('crashed');
      break;
    case 'about:stubborn':
      stubborn = true;
      break;
    case 'about:handshake':
      shakesHands = true;
      break;
    case 'about:deaf':
      deaf = true;
      break;
    case 'about:litter': {
      // A process that outlives its host in a group of its own, as a runaway browser could.
      const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore', cwd: place.directory });
      child.unref();
    }
  }
  process.send({
    type: 'started',
    timings: { uid: process.getuid(), pid: process.pid, prepared, ...expected },
  });
}

/** Leaves a profile of so many megabytes that cannot be compressed. */
function fill(megabytes) {
  const profile = join(place.directory, 'browser', 'profile');
  mkdirSync(profile, { recursive: true });
  for (let part = 0; part < megabytes; part++)
    writeFileSync(join(profile, `part-${part}`), randomBytes(2 ** 20));
}

function end(reason) {
  endRecording('session_ended', () =>
    process.send({ type: 'ended', reason, message: 'It ended.' }, () => process.exit(0)),
  );
}

/** The answer to an upgrade that a proxy expects; see RFC 6455, 1.3. */
function answerTo({ request }) {
  if (!shakesHands) return '';
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64');
  return `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
}
