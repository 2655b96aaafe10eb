/**
 * An egress process that connects nothing. It answers the first so many pings, which its environment says,
 * and then is silent. With START, it aborts or never becomes ready.
 */
let answers = Number(process.env['ANSWERS']);
const start = process.env['START'];
if (start === 'abort') process.abort();

process.on('message', ({ type }) => {
  if (type === 'ping' && answers-- > 0) process.send({ type: 'pong' });
});
process.on('disconnect', () => process.exit(0));
if (start !== 'wait') process.send({ type: 'ready' });
