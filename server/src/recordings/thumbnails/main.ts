import { pictureAt } from './picture-at.js';

/**
 * Program that reads a part of a video from its input, and writes one picture of it as JPEG to its output.
 * The program runs in a process of its own, because a session's user may have created the video, and decoders
 * have had vulnerabilities.
 *
 * Arguments: time of the picture in seconds, and maximum width in pixels.
 */
async function main(): Promise<void> {
  const [seconds = NaN, width = NaN] = process.argv.slice(2).map(Number);
  const jpeg = await pictureAt('pipe:0', seconds, width);
  await new Promise<void>((resolve) => process.stdout.write(jpeg, () => resolve()));
}

main().catch((error: unknown) => {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
