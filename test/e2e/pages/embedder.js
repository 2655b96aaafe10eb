// A customer's page: puts sessions into itself with the public client as npm has it, and notes what that
// tells.
window.embeds = {};

window.violations = [];
document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
  window.violations.push(`${effectiveDirective} ${blockedURI} (${sourceFile})`),
);

/** Elements for a client beside those that the page has. */
const PLACES = {
  iframe: () => document.body.appendChild(document.createElement('iframe')),
  detached: () => document.createElement('div'),
  hidden: () => {
    const target = document.createElement('div');
    target.className = 'gone';
    return document.body.appendChild(target);
  },
};

/** Plays a stream in a `<video>` of the page's own. */
window.play = (srcObject) => {
  const copy = document.body.appendChild(document.createElement('video'));
  Object.assign(copy, { id: 'copy', muted: true, autoplay: true, srcObject });
};

/**
 * Starts the client in an element; answers what it gave, or the name and words of its error. `version`
 * chooses the client, `place` an element of PLACES, `wants` is `frames`, `track` or `sound`.
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
      // Of clients up to 0.0.37.
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

/** Calls a method of a started client, by its path; answers its result or its error's words. */
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
 * Listens to an event of the tabs, such as `onUpdated`; what comes is noted under its name. Answers as `call`
 * does.
 */
window.listen = async (name, event) => {
  const embed = window.embeds[name];
  embed.listeners[event] = (...args) => embed.events.push({ event, args });
  return window.call(name, `tabs.${event}.addListener`, embed.listeners[event]);
};

window.unlisten = (name, event) =>
  window.call(name, `tabs.${event}.removeListener`, window.embeds[name].listeners[event]);

/** The colour of one point of a picture, x and y from 0 to 1. */
window.colourOf = (picture, x, y) => {
  const width = picture.videoWidth ?? picture.width;
  const height = picture.videoHeight ?? picture.height;
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  context.drawImage(picture, Math.floor(x * width), Math.floor(y * height), 1, 1, 0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
};
