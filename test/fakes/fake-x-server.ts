import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

/** Opcodes of requests and the kinds of answers; X11 protocol, appendix B. */
export const GET_GEOMETRY = 14;
export const INTERN_ATOM = 16;
const GET_INPUT_FOCUS = 43;
const QUERY_EXTENSION = 98;
/** The number that this server gives to all other extensions. */
const BIG_REQUESTS = 128;
/** The number that this server gives to MIT-SHM. */
const SHARED_MEMORY = 130;
/** Minor opcodes of MIT-SHM. */
const [QUERY_VERSION, ATTACH_FD] = [0, 6];
const ERROR = 0;
const REPLY = 1;
/** The error with which the server refuses access; X11 protocol, Errors. */
const BAD_ACCESS = 10;
const REPLY_BYTES = 32;
/** Of the client's first message, without its authorization. */
const HELLO_BYTES = 12;
const ROOT = 0x100;

/** An X server that knows atoms and no windows. It refuses to share memory. */
export class FakeXServer {
  readonly #connections = new Set<Socket>();
  readonly #asked = new EventEmitter();
  readonly #left = new EventEmitter();

  private constructor(
    private readonly server: Server,
    atom: number | undefined,
    missing: string,
  ) {
    server.on('connection', (connection) => {
      this.#connections.add(connection);
      connection.on('close', () => this.#left.emit('left'));
      serve(connection, { atom, missing }, (opcode) => this.#asked.emit(String(opcode)));
    });
  }

  /**
   * @param socket the path of its Unix socket
   * @param atom the number that it gives to every atom; undefined if it does not answer requests for atoms
   * @param missing the name of the extension that it does not have
   */
  static async start(socket: string, atom: number | undefined, missing = 'none'): Promise<FakeXServer> {
    const server = createServer().listen(socket);
    await once(server, 'listening');
    return new FakeXServer(server, atom, missing);
  }

  /** Resolves when the next request with this opcode has arrived. */
  async asked(opcode: number): Promise<void> {
    await once(this.#asked, String(opcode));
  }

  /** Resolves when the next client has closed its connection. */
  async left(): Promise<void> {
    await once(this.#left, 'left');
  }

  async stop(): Promise<void> {
    for (const connection of this.#connections) connection.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}

interface Answers {
  atom: number | undefined;
  missing: string;
}

function serve(connection: Socket, answers: Answers, onRequest: (opcode: number) => void): void {
  let [rest, greeted, sequence] = [Buffer.alloc(0), false, 0];
  connection.on('error', () => connection.destroy());
  connection.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      if (rest.length < 4) return;
      const length = greeted ? rest.readUInt16LE(2) * 4 : helloLength(rest);
      if (rest.length < length) return;
      const request = rest.subarray(0, length);
      rest = rest.subarray(length);
      if (!greeted) connection.write(welcome());
      else {
        answer(connection, request, ++sequence, answers);
        onRequest(request.readUInt8(0));
      }
      greeted = true;
    }
  });
}

function helloLength(hello: Buffer): number {
  if (hello.length < HELLO_BYTES) return HELLO_BYTES;
  const padded = (bytes: number) => Math.ceil(bytes / 4) * 4;
  return HELLO_BYTES + padded(hello.readUInt16LE(6)) + padded(hello.readUInt16LE(8));
}

/** Success: one screen, without depths or a vendor's name. */
function welcome(): Buffer {
  const [setup, screen] = [Buffer.alloc(40), Buffer.alloc(40)];
  setup.writeUInt8(1, 0);
  setup.writeUInt16LE(11, 2);
  setup.writeUInt16LE((setup.length - 8 + screen.length) / 4, 6);
  setup.writeUInt32LE(0x200000, 12);
  setup.writeUInt32LE(0x1fffff, 16);
  setup.writeUInt16LE(0xffff, 26);
  setup.writeUInt8(1, 28);
  screen.writeUInt32LE(ROOT, 0);
  screen.writeUInt16LE(1280, 20);
  screen.writeUInt16LE(720, 22);
  return Buffer.concat([setup, screen]);
}

/** Answers requests for atoms, the focus and extensions. Other requests get no answer. */
function answer(connection: Socket, request: Buffer, sequence: number, { atom, missing }: Answers): void {
  const reply = Buffer.alloc(REPLY_BYTES);
  reply.writeUInt8(REPLY, 0);
  reply.writeUInt16LE(sequence & 0xffff, 2);
  const [opcode, minor] = [request.readUInt8(0), request.readUInt8(1)];
  if (opcode === INTERN_ATOM) {
    if (atom === undefined) return;
    reply.writeUInt32LE(atom, 8);
  } else if (opcode === GET_INPUT_FOCUS) reply.writeUInt32LE(ROOT, 8);
  else if (opcode === QUERY_EXTENSION && !request.includes(missing))
    reply.set([1, request.includes('MIT-SHM') ? SHARED_MEMORY : BIG_REQUESTS], 8);
  else if (opcode === SHARED_MEMORY && minor === QUERY_VERSION) reply.set([1, 0, 2, 0], 8);
  else if (opcode === SHARED_MEMORY && minor === ATTACH_FD) {
    reply.set([ERROR, BAD_ACCESS], 0);
    reply.set([minor, 0, opcode], 8);
  } else if (opcode === BIG_REQUESTS) reply.writeUInt32LE(0xffff, 8);
  else if (opcode !== QUERY_EXTENSION) return;
  connection.write(reply);
}
