import { namesInside, readBytesInside } from '../../../platform/files/inside.js';

const DIRECTORY = 'profile/Default/Sessions';
/**
 * Pattern of a session file's name. The number is a time. The browser restores the session with the greatest
 * number.
 */
const FILE = /^Session_(\d{1,20})$/;

/** Length of the header before the commands: the letters SNSS and a version. */
const HEADER_BYTES = 8;
const MAGIC = 'SNSS';
/** Commands of a session file. Source: Chromium's `session_service_commands.cc`. The numbers never change. */
const UPDATE_TAB_NAVIGATION = 6;
const SET_SELECTED_TAB_IN_INDEX = 8;
const SET_WINDOW_TYPE = 9;
const TAB_CLOSED = 16;
const TYPE_NORMAL = 0;
/**
 * Length of the two numbers with which each payload begins, four bytes each. Depending on the command, they
 * are a window's id and its value, a length and a tab's id, or a tab's id and part of a time.
 */
const PAYLOAD_BYTES = 8;

/**
 * Returns the index, from 0, of the tab that was active when the browser with this home was closed. Undefined
 * if there was no page. Chromium itself activates this tab only in a window that it opens at its start. In
 * another window, the host must activate the tab.
 */
export async function lastTabInFront(home: string): Promise<number | undefined> {
  const names = (await namesInside(home, DIRECTORY)).filter((name) => FILE.test(name));
  const [newest] = names.sort((a, b) => timeOf(b) - timeOf(a));
  const file = newest === undefined ? undefined : await readBytesInside(home, `${DIRECTORY}/${newest}`);
  return file && tabInFront(file);
}

function timeOf(name: string): number {
  return Number(FILE.exec(name)?.[1]);
}

/**
 * Returns the index, from 0, of the tab that was active when the session file was last written. Ignores
 * popups. Undefined if there is nothing to restore.
 */
export function tabInFront(file: Buffer): number | undefined {
  if (file.subarray(0, MAGIC.length).toString('latin1') !== MAGIC) return undefined;
  const normal = new Set<number>();
  const tabs = new Set<number>();
  let front: number | undefined;
  for (const { command, payload } of commandsOf(file)) {
    if (payload.length < PAYLOAD_BYTES) continue;
    const [first, second] = [payload.readInt32LE(0), payload.readInt32LE(4)];
    if (command === UPDATE_TAB_NAVIGATION) tabs.add(second);
    if (command === TAB_CLOSED) tabs.delete(first);
    if (command === SET_WINDOW_TYPE && second === TYPE_NORMAL) normal.add(first);
    if (command === SET_SELECTED_TAB_IN_INDEX && normal.has(first) && second >= 0) front = second;
  }
  return tabs.size > 0 ? front : undefined;
}

/**
 * Reads the commands. Each has a length of two bytes, a command number of one byte, and the payload. The
 * length counts the byte of the command number and the payload. The last command may be cut off.
 */
function* commandsOf(file: Buffer): Generator<{ command: number; payload: Buffer }> {
  let at = HEADER_BYTES;
  while (at + 3 <= file.length) {
    const length = file.readUInt16LE(at);
    const end = at + 2 + length;
    if (length === 0 || end > file.length) return;
    yield { command: file.readUInt8(at + 2), payload: file.subarray(at + 3, end) };
    at = end;
  }
}
