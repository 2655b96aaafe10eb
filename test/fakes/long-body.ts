import { connect } from 'node:net';

/** The answer to a long body, and the number of bytes that were taken before the connection ended. */
interface LongBodyAnswer {
  answer: string;
  sent: number;
}

/**
 * Sends the head of a request and as much of a body as the server takes, without reading the answer first.
 *
 * @param head without `Content-Length` and without the empty line at its end
 */
export async function sendLongBody(port: number, head: string, size: number): Promise<LongBodyAnswer> {
  const socket = connect(port, '127.0.0.1');
  // The connection may break while the client still sends.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(`${head}\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n`);
  const chunk = Buffer.alloc(64 * 1024);
  let sent = 0;
  const send = () => {
    while (!socket.destroyed && sent < size && socket.write(chunk)) sent += chunk.length;
    if (sent >= size) socket.end();
  };
  socket.on('drain', send);
  send();
  let answer = '';
  socket.on('data', (data) => (answer += String(data)));
  await closed;
  return { answer, sent };
}
