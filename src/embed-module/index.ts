/**
 * What an embed URL answers to `fetch`: one self-contained module that the public client `@hyperbeam/web` imports and
 * calls. It shows the session in the shadow root that it is given.
 */
import { cssCursor } from '../viewer/remote-cursor.js';
import { createViewer } from '../viewer/index.js';
import { Bridge } from './bridge.js';
import { FrameCallback } from './frame-callback.js';
import type { EmbedOptions, FromEmbed } from './messages.js';
import { PictureTrack } from './picture-track.js';
import { Screen } from './screen.js';

/** What the client holds in its hands. */
export interface Embed {
  /** A message of the client; see `messages.ts`. */
  handleMessage(message: unknown): void;
  /** Ends the connection and leaves the shadow root empty. Safe to call twice. */
  destroy(): void;
}

/**
 * Connects and shows the session.
 *
 * @param root the client's, used again for every embed in the same element
 * @param url the embed URL after redirects
 * @param onMessage takes messages of ours; not called before this function has returned
 */
export default function embed(
  root: ShadowRoot,
  url: string,
  onMessage: (message: FromEmbed) => void,
  options: EmbedOptions = {},
): Embed {
  const { audioTrackCb, frameCb, videoTrackCb, disableInput = false, timeout } = options;
  const screen = new Screen(root, destroy);
  const { surface, video, canvas } = screen;
  const viewer = createViewer({
    container: surface,
    canvas,
    embedUrl: url,
    viewOnly: disableInput,
    keyboard: keyboardScope(options.delegateKeyboard),
    // A page that takes frames may show them anywhere, even while the container is out of sight.
    whenHidden: frameCb || videoTrackCb ? 'play' : 'pause-page',
  });
  const { client } = viewer;
  let destroyed = false;
  const post = (message: FromEmbed): void => {
    if (!destroyed) onMessage(message);
  };
  const bridge = new Bridge(viewer, post, timeout);
  const frames = frameCb && new FrameCallback(viewer, frameCb);
  const picture = new PictureTrack(viewer);
  video.srcObject = new MediaStream([picture.track]);
  // So that there is a track at once; the browser's own makes one only after the first picture.
  Object.assign(video, { captureStream: () => new MediaStream([picture.clone()]) });
  video.play().catch(() => undefined);
  videoTrackCb?.(picture.clone());
  const sound = audioTrackCb && viewer.captureSound();
  if (sound) audioTrackCb(sound);

  const showCursor = (): void => {
    const { cursor } = client;
    video.style.cursor = viewer.viewOnly || !cursor ? '' : cssCursor(cursor);
  };
  client.on('cursor', showCursor);
  surface.addEventListener('mousedown', () => {
    // Nothing of ours takes the focus then, and the page's field keeps it unless told otherwise.
    if (viewer.keyboard === 'none' && !viewer.viewOnly) post({ type: 'blur' });
  });

  // Messages tell the outcome. Connecting begins after this turn, in which the client passes its user data.
  void viewer.connect();

  function destroy(): void {
    if (destroyed) return;
    destroyed = true;
    client.off('cursor', showCursor);
    bridge.close();
    frames?.close();
    picture.close();
    viewer.close();
    screen.close();
  }

  return {
    destroy,
    handleMessage(message) {
      if (destroyed) return;
      const { type, data } = (message ?? {}) as { type?: unknown; data?: unknown };
      if (type === 'delegate_keyboard') viewer.keyboard = keyboardScope(data !== false);
      else if (type === 'volume') viewer.volume = video.volume = loudness(data);
      else bridge.handle(message);
      if (type === 'disable_input') showCursor();
    },
  };
}

/** Without delegation the embed takes no key by itself: the page sends those that it wants to. */
function keyboardScope(delegate = true): 'page' | 'none' {
  return delegate ? 'page' : 'none';
}

function loudness(data: unknown): number {
  return typeof data === 'number' && data >= 0 && data <= 1 ? data : 1;
}
