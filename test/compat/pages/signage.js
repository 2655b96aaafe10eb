// A screen on a wall. It shows a session for days, takes no input, and reconnects by itself.
import Hyperbeam from './client.js';
import { asked, customer, run, screen } from './asked.js';

customer.states = [];
customer.starts = 0;

async function show() {
  customer.starts++;
  const hb = await Hyperbeam(screen, asked.embedUrl, {
    timeout: 20_000,
    disableInput: true,
    delegateKeyboard: false,
    persistScreen: true,
    playoutDelay: true,
    volume: 0,
    onConnectionStateChange: ({ state }) => customer.states.push(state),
    onDisconnect: ({ type }) => (customer.disconnected = type),
    onCloseWarning: ({ type, deadline }) => {
      customer.warning = { type, delay: deadline?.delay };
      if (deadline) hb.ping();
    },
  });
  customer.reconnect = () => hb.reconnect();
  const video = screen.shadowRoot.querySelector('video');
  video.addEventListener('play', () => (customer.played = true));
}
run(show);
