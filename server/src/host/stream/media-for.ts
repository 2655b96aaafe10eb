import type { MediaKind } from 'cloud-browser/protocol';
import type { HostSession } from '../../host-protocol.js';

/**
 * How a viewer is shown the screen: the first of what it offers, but every pixel in a colour of its own only where reading
 * is what counts. Such a stream takes about half as many bits again, and as much more of the viewer's processor.
 */
export function mediaFor(
  { quality }: Pick<HostSession, 'quality'>,
  offered: readonly MediaKind[],
): MediaKind {
  const wanted = offered.find((media) => media !== 'h264-444' || quality === 'sharp');
  return wanted ?? offered[0] ?? 'image';
}
