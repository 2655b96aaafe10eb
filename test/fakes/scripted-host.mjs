/**
 * A session host that runs nothing: it speaks the messages of the real one and does what its session's start address says,
 * such as `about:exit`. Started by the pool in place of the real host's main module.
 */
import { spawn } from 'node:child_process';

const place = JSON.parse(process.argv[2]);
if (place.directory.endsWith('fails')) process.exit(3);
if (place.uid !== undefined) {
  process.setgid(place.gid);
  process.setuid(place.uid);
}
process.on('disconnect', () => process.exit(0));
process.on('message', (message, socket) => {
  switch (message.type) {
    case 'start':
      start(message.session);
      break;
    case 'viewer':
      socket?.end(JSON.stringify({ pid: process.pid, viewer: message.viewer }));
      process.send({ type: 'viewers', count: 1 });
      break;
    case 'stop':
      if (stubborn) return;
      end(message.reason);
  }
});
process.send({ type: 'ready' });

let stubborn = false;

function start({ startUrl }) {
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
    case 'about:litter': {
      // A process that outlives its host in a group of its own, as a runaway browser could.
      const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore', cwd: place.directory });
      child.unref();
    }
  }
  process.send({ type: 'started', timings: { uid: process.getuid(), pid: process.pid } });
}

function end(reason) {
  process.send({ type: 'ended', reason, message: 'It ended.' }, () => process.exit(0));
}
