import { createViewer } from 'cloud-browser';
import { fetchSession } from '../shared/session.js';
import { createScreen } from './screen.js';

const gl = document.querySelector('canvas')?.getContext('webgl', { preserveDrawingBuffer: true });
const words = document.querySelector('#state');
if (!gl || !words) throw new Error('This browser has no WebGL.');

const screen = createScreen(gl);
// The container is outside the document and never visible. The viewer needs frames anyway.
const viewer = createViewer({
  container: document.createElement('div'),
  embedUrl: await fetchSession(),
  whenHidden: 'play',
});
viewer.on('frame', (picture) => {
  screen.take(picture);
  screen.draw();
});
viewer.client.on('state', ({ state }) => {
  words.textContent = state;
});
await viewer.connect();
