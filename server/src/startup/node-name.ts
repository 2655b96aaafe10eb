import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NameTakenError } from '../cluster/nodes/taken-name.js';
import { writeFileAtomic } from '../platform/files/atomic-file.js';
import { ignoreMissing } from '../platform/files/ignore-missing.js';
import { isRecord } from '../platform/is-record.js';
import { parseJson } from '../platform/parse-json.js';
import type { Log } from '../platform/log.js';

/**
 * Exit code if another process uses the name of this node. A supervisor must not restart the process
 * (`EX_CONFIG` of sysexits.h).
 */
export const NAME_TAKEN_EXIT_CODE = 78;

/** Name of a node from the configuration. */
export interface ConfiguredName {
  nodeName: string;
  /** True if an operator has chosen the name. */
  nodeNameIsSet: boolean;
}

/**
 * Joins under the name of this node. Rejects with `NameTakenError` if an operator chose the name and another
 * process has it. The default name contains the machine's name, and cloned machines have the same name. So if
 * the default name is in use, the function adds a random suffix and stores the new name in the state
 * directory.
 */
export async function joinAs<Joined>(
  { nodeName, nodeNameIsSet }: ConfiguredName,
  stateDir: string,
  log: Log,
  joinUnder: (name: string) => Promise<Joined>,
): Promise<Joined> {
  if (nodeNameIsSet) return joinUnder(nodeName);
  const kept = await keptName(stateDir, nodeName, log);
  try {
    return await joinUnder(kept);
  } catch (error) {
    if (!(error instanceof NameTakenError)) throw error;
    const name = `${nodeName}-${randomBytes(3).toString('hex')}`;
    log.warn('another machine has the name of this node; choosing a new name', { taken: kept, name });
    // Stored before the join. After a failed write, the node would stay in the cluster, and the next start
    // would choose another name.
    await writeFileAtomic(fileIn(stateDir), JSON.stringify({ nodeName, name }));
    return joinUnder(name);
  }
}

/**
 * Returns the stored name with a suffix if it was stored for this default name. Otherwise returns the default
 * name. A damaged file counts as missing, because a new name works too.
 */
async function keptName(stateDir: string, nodeName: string, log: Log): Promise<string> {
  const text = await readFile(fileIn(stateDir), 'utf8').catch(ignoreMissing);
  if (text === undefined) return nodeName;
  const kept = parse(text);
  if (!kept) log.warn('the file with the name of this node is damaged', { path: fileIn(stateDir) });
  return kept?.nodeName === nodeName ? kept.name : nodeName;
}

function parse(text: string): { nodeName: string; name: string } | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const { nodeName, name } = value;
  return typeof nodeName === 'string' && typeof name === 'string' ? { nodeName, name } : undefined;
}

function fileIn(stateDir: string): string {
  return join(stateDir, 'node-name');
}
