import type { X11Event } from 'x11';
import { connectDisplay, request, type XConnection } from './x-client.js';
import type { DisplayAddress } from './x-server.js';

/** How long the program that has the clipboard may take to hand it over. */
const HANDOVER_TIMEOUT_MS = 2_000;
/** A longer text is refused: programs hand it over in pieces (ICCCM, INCR), and it is too long for one message anyway. */
const MAX_BYTES = 256 * 1024;
/** `AnyPropertyType`; X11 protocol, GetProperty. */
const ANY_TYPE = 0;

/** Reads the text of the display's clipboard, from whichever program has it; empty when there is none. */
export async function readClipboard(address: DisplayAddress): Promise<string> {
  const connection = await connectDisplay(address);
  try {
    return await read(connection);
  } finally {
    connection.close();
  }
}

async function read({ x, root }: XConnection): Promise<string> {
  const atom = (name: string) => request<number>((reply) => x.InternAtom(false, name, reply));
  const [clipboard, utf8, property] = await Promise.all([
    atom('CLIPBOARD'),
    atom('UTF8_STRING'),
    atom('CLOUD_BROWSER_CLIPBOARD'),
  ]);
  const window = x.AllocID();
  x.CreateWindow(window, root, 0, 0, 1, 1);
  const notified = new Promise<boolean>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('The browser did not hand over its clipboard in time. Try again.')),
      HANDOVER_TIMEOUT_MS,
    );
    x.on('event', (event: X11Event) => {
      if (event.name !== 'SelectionNotify') return;
      clearTimeout(timer);
      resolve(event['property'] !== 0);
    });
  });
  x.ConvertSelection(window, clipboard, utf8, property, 0);
  if (!(await notified)) return '';
  const { type, data } = await request<{ type: number; data: Buffer }>((reply) =>
    x.GetProperty(1, window, property, ANY_TYPE, 0, MAX_BYTES / 4, reply),
  );
  if (type !== utf8) throw new Error(`The copied text is too long: it may have ${MAX_BYTES} bytes at most.`);
  return data.toString('utf8');
}
