/**
 * The module that the service sends if a script fetches an embed URL. The public client `@hyperbeam/web`
 * imports and calls it. The built module has no static imports. It shows the session in the given
 * shadow root.
 */
import { createViewer } from '../viewer/index.js';
import { ClientMessages } from './client-messages.js';
import { openFrameCallback } from './frame-callback.js';
import type { EmbedOptions, FromEmbed } from './messages.js';
import { partsOf } from './parts.js';
import { PictureTrack } from './picture-track.js';
import { Screen } from './screen.js';

export { loadPart } from './parts.js';

/** The object through which the client controls the embed. */
export interface Embed {
  /** Handles a message of the client, see `messages.ts`. */
  handleMessage(message: unknown): void;
  /** Ends the connection and empties the shadow root. Safe to call twice. */
  destroy(): void;
}

/**
 * Connects and shows the session.
 *
 * @param root shadow root of the client. The client reuses the root for every embed in the same element
 * @param url the embed URL after redirects
 * @param onMessage receives the messages of the embed, only after this function has returned
 */
export default function embed(
  root: ShadowRoot,
  url: string,
  onMessage: (message: FromEmbed) => void,
  options: EmbedOptions = {},
): Embed {
  const { audioTrackCb, frameCb, videoTrackCb, disableInput = false, timeout } = options;
  partsOf(url);
  // A page with a frame callback shows the frames in its own scene.
  const screen = new Screen(root, !frameCb, destroy);
  const { surface, video, canvas } = screen;
  const viewer = createViewer({
    container: surface,
    canvas,
    embedUrl: url,
    viewOnly: disableInput,
    resize: new URL(url, location.href).searchParams.get('resize') === 'auto' ? 'auto' : 'none',
    keyboard: keyboardScope(options.delegateKeyboard),
    // A page with a frame callback or a video track callback may show the picture in other places, even while
    // the container is not visible.
    whenHidden: frameCb || videoTrackCb ? 'play' : 'pause-page',
  });
  let destroyed = false;
  const post = (message: FromEmbed): void => {
    if (!destroyed) onMessage(message);
  };
  const messages = new ClientMessages(viewer, post, timeout);
  const frames = frameCb && openFrameCallback(viewer, video, frameCb);
  const picture = new PictureTrack(viewer);
  video.srcObject = new MediaStream([picture.track]);
  // Replaces the video's own `captureStream`. That method returns no track before the first frame, and no
  // sound, because the video is muted.
  Object.assign(video, { captureStream });
  // Delays the video's `play` event, because pages add their listener only when their client is ready.
  viewer.once('painted', () => setTimeout(() => void video.play().catch(() => undefined)));
  videoTrackCb?.(picture.clone());
  const sound = audioTrackCb && viewer.captureSound();
  if (sound) audioTrackCb(sound);

  viewer.on('place', () => screen.follow());
  viewer.on('cursor', (style) => void (video.style.cursor = style));
  surface.addEventListener('mousedown', () => {
    // If the page forwards the keys, no element of the embed takes the focus. The message tells the page to
    // remove the focus from its own field.
    if (viewer.keyboard === 'none' && !viewer.viewOnly) post({ type: 'blur' });
  });

  // The promise is ignored, because the messages of the embed report if the connection succeeded. The
  // connection starts only after this function has returned, because the client passes its user data right
  // after the call.
  void viewer.connect();

  function captureStream(): MediaStream {
    const sound = viewer.tapSound();
    return new MediaStream([picture.clone(), ...(sound ? [sound] : [])]);
  }

  function destroy(): void {
    if (destroyed) return;
    destroyed = true;
    messages.close();
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
      else messages.handle(message);
    },
  };
}

/**
 * Returns the scope in which the embed handles keys. Without delegation the embed handles no keys itself, and
 * the page forwards the keys that it chooses.
 */
function keyboardScope(delegate = true): 'page' | 'none' {
  return delegate ? 'page' : 'none';
}

function loudness(data: unknown): number {
  return typeof data === 'number' && data >= 0 && data <= 1 ? data : 1;
}
