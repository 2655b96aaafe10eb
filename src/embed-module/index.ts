/**
 * What an embed URL answers to `fetch`: one self-contained module that the public client `@hyperbeam/web` imports and
 * calls. It shows the session in the shadow root that it is given.
 */
import { createViewer } from '../viewer/index.js';
import { Bridge } from './bridge.js';
import { openFrameCallback } from './frame-callback.js';
import type { EmbedOptions, FromEmbed } from './messages.js';
import { partsOf } from './parts.js';
import { PictureTrack } from './picture-track.js';
import { Screen } from './screen.js';

export { loadPart } from './parts.js';

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
  partsOf(url);
  // A page that takes frames shows them in a scene of its own.
  const screen = new Screen(root, !frameCb, destroy);
  const { surface, video, canvas } = screen;
  const viewer = createViewer({
    container: surface,
    canvas,
    embedUrl: url,
    viewOnly: disableInput,
    resize: new URL(url, location.href).searchParams.get('resize') === 'auto' ? 'auto' : 'none',
    keyboard: keyboardScope(options.delegateKeyboard),
    // A page that takes frames may show them anywhere, even while the container is out of sight.
    whenHidden: frameCb || videoTrackCb ? 'play' : 'pause-page',
  });
  let destroyed = false;
  const post = (message: FromEmbed): void => {
    if (!destroyed) onMessage(message);
  };
  const bridge = new Bridge(viewer, post, timeout);
  const frames = frameCb && openFrameCallback(viewer, video, frameCb);
  const picture = new PictureTrack(viewer);
  video.srcObject = new MediaStream([picture.track]);
  // The browser's own has no track before the first picture, and none for sound: the video is mute.
  Object.assign(video, { captureStream });
  // Pages look for the video when their client is there, and listen to `play` then.
  viewer.once('painted', () => setTimeout(() => void video.play().catch(() => undefined)));
  videoTrackCb?.(picture.clone());
  const sound = audioTrackCb && viewer.captureSound();
  if (sound) audioTrackCb(sound);

  viewer.on('place', () => screen.follow());
  viewer.on('cursor', (style) => void (video.style.cursor = style));
  surface.addEventListener('mousedown', () => {
    // Nothing of ours takes the focus then, and the page's field keeps it unless told otherwise.
    if (viewer.keyboard === 'none' && !viewer.viewOnly) post({ type: 'blur' });
  });

  // Messages tell the outcome. Connecting begins after this turn, in which the client passes its user data.
  void viewer.connect();

  function captureStream(): MediaStream {
    const sound = viewer.tapSound();
    return new MediaStream([picture.clone(), ...(sound ? [sound] : [])]);
  }

  function destroy(): void {
    if (destroyed) return;
    destroyed = true;
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
