// A customer's page. It embeds sessions with the public client from npm, and records the client's events.
window.embeds = {};

window.violations = [];
document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
  window.violations.push(`${effectiveDirective} ${blockedURI} (${sourceFile})`),
);

/** Elements for a client, in addition to those of the page. */
const PLACES = {
  iframe: () => document.body.appendChild(document.createElement('iframe')),
  detached: () => document.createElement('div'),
  hidden: () => {
    const target = document.createElement('div');
    target.className = 'gone';
    return document.body.appendChild(target);
  },
};

/** Plays a stream in a `<video>` of the page. */
window.play = (srcObject) => {
  const copy = document.body.appendChild(document.createElement('video'));
  Object.assign(copy, { id: 'copy', muted: true, autoplay: true, srcObject });
};

/**
 * Starts the client in an element. Returns its result, or the name and message of its error. `version`
 * selects the client, `place` an element of PLACES, `wants` is `frames`, `track` or `sound`.
 */
window.start = async (name, embedUrl, { version = '38', place, wants, ...options } = {}) => {
  const target = PLACES[place]?.() ?? document.getElementById(name);
  const { default: Hyperbeam } = await import(`./client-${version}.js`);
  const events = [];
  const note = (type) => (data) => events.push({ event: type, ...data });
  const embed = { events, target, frames: [], listeners: {} };
  window.embeds[name] = embed;
  try {
    embed.hb = await Hyperbeam(target, embedUrl, {
      onDisconnect: note('disconnect'),
      onCloseWarning: note('close_warning'),
      onConnectionStateChange: note('connection_state'),
      onCursor: note('cursor'),
      // Clients up to 0.0.37 have this.
      shotCb: ({ tabId, img }) => events.push({ event: 'shot', tabId, size: img.size, kind: img.type }),
      ...(wants === 'frames' && { frameCb: (frame) => embed.frames.push(frame) }),
      ...(wants === 'track' && { videoTrackCb: (track) => window.play(new MediaStream([track])) }),
      ...(wants === 'sound' && { audioTrackCb: (track) => (embed.sound = track) }),
      ...options,
    });
  } catch (error) {
    return { error: error.name, message: error.message };
  }
  const { userId, width, height, maxArea } = embed.hb;
  return { userId, width, height, maxArea };
};

/** Calls a method of a started client, by its path. Returns its result or the message of its error. */
window.call = async (name, path, ...args) => {
  const keys = path.split('.');
  const method = keys.pop();
  const object = keys.reduce((value, key) => value[key], window.embeds[name].hb);
  try {
    return { result: await object[method](...args) };
  } catch (error) {
    return { error: error.message };
  }
};

/**
 * Listens to an event of the tabs, such as `onUpdated`, and records it under its name. Returns the same as
 * `call`.
 */
window.listen = async (name, event) => {
  const embed = window.embeds[name];
  embed.listeners[event] = (...args) => embed.events.push({ event, args });
  return window.call(name, `tabs.${event}.addListener`, embed.listeners[event]);
};

window.unlisten = (name, event) =>
  window.call(name, `tabs.${event}.removeListener`, window.embeds[name].listeners[event]);

/** Returns the colour of a point of a picture. x and y are from 0 to 1. */
window.colourOf = (picture, x, y) => {
  const width = picture.videoWidth ?? picture.width;
  const height = picture.videoHeight ?? picture.height;
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  context.drawImage(picture, Math.floor(x * width), Math.floor(y * height), 1, 1, 0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
};
