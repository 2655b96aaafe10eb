// The protocol of the first public clients (0.0.22 to 0.0.27), implemented by hand. They request the module
// without a hint about CBOR, know only their own user of the connection, and exchange messages with an
// iframe.
import { asked, customer, run, screen } from './asked.js';

const waiting = new Map();
let connected;
let send;

function received(message) {
  if ('i' in message && !('m' in message)) {
    const { resolve, reject } = waiting.get(message.i) ?? {};
    waiting.delete(message.i);
    if (message.e != null) reject?.(new Error(message.e));
    else resolve?.(message.r);
  } else if (message.type === 'connection') {
    connected(message.data.user_id);
  } else if (message.type === 'screenshot') {
    const { mime, buf, tabId } = message.data;
    customer.shots.push({ tabId, img: new Blob([buf], { type: mime }) });
  } else if (message.type === 'disconnect') {
    customer.disconnected = message.data.type;
  }
}

const call = (method, ...args) =>
  new Promise((resolve, reject) => {
    const i = waiting.size;
    waiting.set(i, { resolve, reject });
    send({ m: method, a: args, i, t: asked.adminToken });
  });

async function inElement() {
  const response = await fetch(asked.embedUrl);
  const address = URL.createObjectURL(await response.blob());
  const module = await import(address);
  const root = screen.attachShadow({ mode: 'open' });
  const embed = module.default(root, response.url, received, { delegateKeyboard: true });
  customer.destroy = () => embed.destroy();
  send = embed.handleMessage;
}

async function inFrame() {
  const frame = document.createElement('iframe');
  frame.allow = 'autoplay; clipboard-read; clipboard-write';
  frame.style.cssText = 'border: 0; width: 640px; height: 480px';
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  screen.append(frame);
  frame.src = asked.embedUrl;
  await loaded;
  send = (message) => frame.contentWindow.postMessage(message, '*');
  addEventListener('message', ({ source, data }) => source === frame.contentWindow && received(data));
  for (const type of ['keydown', 'keyup'])
    addEventListener(type, ({ key, ctrlKey, metaKey }) => send({ type, key, ctrlKey, metaKey }));
  for (const type of ['pagehide', 'blur']) addEventListener(type, () => send({ type: 'blur' }));
  customer.destroy = () => undefined;
}

run(async () => {
  customer.shots = [];
  const connection = new Promise((resolve) => (connected = resolve));
  await (asked.place === 'iframe' ? inFrame() : inElement());
  send({ type: 'webhook_auth', data: { webhookUserdata: 'ticket-7' } });
  customer.userId = await connection;
  send({ type: 'admin_token', data: asked.adminToken });
  send({ type: 'volume', data: 0.5 });
  send({ type: 'playout_delay', data: true });
  customer.call = call;
  customer.type = (text) => {
    for (const key of text) for (const type of ['keydown', 'keyup']) send({ type, key });
  };
  customer.shoot = async () => {
    const [tab] = await call('tabs.query', { active: true });
    await call('screenshot', { tabId: tab.id });
    const [{ tabId, img }] = customer.shots;
    const { width, height } = await createImageBitmap(img);
    return { ofTab: tabId === tab.id, type: img.type, width, height };
  };
});
