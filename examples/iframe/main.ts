import { fetchSession } from '../shared/session.js';

const frame = document.querySelector('iframe');
const words = document.querySelector('#state');
const viewOnly = document.querySelector<HTMLInputElement>('#view-only');
if (!frame || !words || !viewOnly) throw new Error('The page has lost its parts.');

const embedUrl = await fetchSession();
const { origin } = new URL(embedUrl);

/** The messages of the frame that this page uses. */
interface StateMessage {
  type: 'connection_state';
  data: { state: string };
}

function isStateMessage(message: unknown): message is StateMessage {
  return (
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    message.type === 'connection_state'
  );
}

addEventListener('message', ({ source, origin: from, data }: MessageEvent<unknown>) => {
  // Other windows may post messages too.
  if (source !== frame.contentWindow || from !== origin) return;
  if (isStateMessage(data)) words.textContent = data.data.state;
});
viewOnly.addEventListener('change', () => {
  frame.contentWindow?.postMessage({ type: 'disable_input', data: viewOnly.checked }, origin);
});
frame.src = embedUrl;
