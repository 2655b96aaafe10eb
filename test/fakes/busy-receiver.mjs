/**
 * Takes sockets from its parent. It greets the peer, blocks its thread as a starting session does, then
 * echoes all data.
 */
const BUSY_MS = 20;

process.on('message', (_message, socket) => {
  socket.on('data', (data) => socket.end(data));
  socket.on('error', () => undefined);
  socket.write('welcome');
  setImmediate(() => {
    const end = performance.now() + BUSY_MS;
    while (performance.now() < end);
  });
});
