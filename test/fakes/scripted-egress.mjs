/**
 * An egress process that connects nothing. It answers the first so many pings, which its environment says,
 * and then is silent.
 */
let answers = Number(process.env['ANSWERS']);

process.on('message', ({ type }) => {
  if (type === 'ping' && answers-- > 0) process.send({ type: 'pong' });
});
process.on('disconnect', () => process.exit(0));
process.send({ type: 'ready' });
