/** Takes sockets from its parent: greets, is busy for a while as a starting session is, then repeats what it hears. */
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
