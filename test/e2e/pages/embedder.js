// A customer's page: puts sessions into itself with the public client as npm has it, and notes what that tells.
window.embeds = {};

/** Starts the client in an element; answers what it gave, or the name and words of its error. */
window.start = async (
  name,
  embedUrl,
  { version = '38', target = document.getElementById(name), ...options } = {},
) => {
  const { default: Hyperbeam } = await import(`./client-${version}.js`);
  const events = [];
  const note = (type) => (data) => events.push({ event: type, ...data });
  const embed = { events, target };
  window.embeds[name] = embed;
  try {
    embed.hb = await Hyperbeam(target, embedUrl, {
      onDisconnect: note('disconnect'),
      onCloseWarning: note('close_warning'),
      onConnectionStateChange: note('connection_state'),
      onCursor: note('cursor'),
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

/** The colour of one point of a picture, x and y from 0 to 1. */
window.colourOf = (picture, x, y) => {
  const width = picture.videoWidth ?? picture.width;
  const height = picture.videoHeight ?? picture.height;
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  context.drawImage(picture, Math.floor(x * width), Math.floor(y * height), 1, 1, 0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
};
