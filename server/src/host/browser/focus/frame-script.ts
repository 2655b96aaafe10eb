import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Settings for the script in frames; see `focus/setup.d.ts` of the browser extensions. */
export interface FrameSetup {
  does: 'keeps-masks' | 'tells-fields';
  /** Global name of the object that the host calls. */
  guard: string;
  /** Global name of the function that the script calls. */
  tell: string;
  masks: readonly object[];
}

/**
 * Reads the built source of `focus/frame.ts`.
 *
 * @param scripts the directory of the scripts that run inside browsers
 */
export function readFrameScript(scripts: string): Promise<string> {
  return readFile(join(scripts, 'focus', 'frame.js'), 'utf8');
}

/** Returns the source to evaluate: the settings, followed by the script. */
export function frameScript(script: string, { guard: name, ...setup }: FrameSetup): string {
  return `(() => { const SETUP = ${JSON.stringify({ name, ...setup })};\n${script}\n})();`;
}
