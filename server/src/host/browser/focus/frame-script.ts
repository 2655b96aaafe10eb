import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the script in frames is told; see `setup.d.ts` beside it. */
export interface FrameSetup {
  does: 'keeps-masks' | 'tells-fields';
  /** Global name of what the host calls. */
  guard: string;
  /** Global name of what the script calls. */
  tell: string;
  masks: readonly object[];
}

/** The source of `focus/frame.ts`, as it was built. @param scripts the directory with what runs inside browsers */
export function readFrameScript(scripts: string): Promise<string> {
  return readFile(join(scripts, 'focus', 'frame.js'), 'utf8');
}

/** The script with what it is told in front of it. */
export function frameScript(script: string, { guard: name, ...setup }: FrameSetup): string {
  return `(() => { const SETUP = ${JSON.stringify({ name, ...setup })};\n${script}\n})();`;
}
