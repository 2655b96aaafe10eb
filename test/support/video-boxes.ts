/** A box at the top of a video file. */
export interface FileBox {
  type: string;
  start: number;
  end: number;
}

/** A reference of an index, ISO 14496-12, 8.16.3. */
export interface IndexEntry {
  start: number;
  end: number;
  /** Ticks. */
  time: number;
  duration: number;
  startsWithKeyFrame: boolean;
}

/** Returns the boxes at the top of a file. Throws if they do not fill it. */
export function fileBoxes(file: Buffer): FileBox[] {
  const boxes: FileBox[] = [];
  for (let at = 0; at < file.length;) {
    const end = at + file.readUInt32BE(at);
    if (end <= at || end > file.length) throw new Error(`The box at ${at} does not fit.`);
    boxes.push({ type: file.toString('latin1', at + 4, at + 8), start: at, end });
    at = end;
  }
  return boxes;
}

/** Returns the references of the index of a file, with the places to which they point. */
export function indexEntries(file: Buffer): IndexEntry[] {
  const index = fileBoxes(file).find(({ type }) => type === 'sidx');
  if (!index) return [];
  let time = Number(file.readBigUInt64BE(index.start + 20));
  let start = index.end + Number(file.readBigUInt64BE(index.start + 28));
  return Array.from({ length: file.readUInt16BE(index.start + 38) }, (_, nth) => {
    const at = index.start + 40 + 12 * nth;
    const [size, duration] = [file.readUInt32BE(at), file.readUInt32BE(at + 4)];
    const entry = { start, end: start + size, time, duration, startsWithKeyFrame: file[at + 8] === 0x90 };
    start += size;
    time += duration;
    return entry;
  });
}
