// A scene that shows the session on textures, in the three ways in which scenes do it.
import Hyperbeam from './client.js';
import { asked, customer, run, screen } from './asked.js';

const gl = document.body.appendChild(document.createElement('canvas')).getContext('webgl2');
const framebuffer = gl.createFramebuffer();

/** A texture that counts its errors. */
function makeTexture() {
  const texture = gl.createTexture();
  const facts = { uploads: 0, black: 0, errors: [] };
  const check = () => {
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    const read = new Uint8Array(16 * 16 * 4);
    gl.readPixels(40, 40, 16, 16, gl.RGBA, gl.UNSIGNED_BYTE, read);
    const sum = read.reduce((all, value, at) => (at % 4 === 3 ? all : all + value), 0);
    if (sum === 0) facts.black++;
    const error = gl.getError();
    if (error) facts.errors.push(`GL ${error}`);
    facts.uploads++;
  };
  const attempt = (upload) => {
    try {
      gl.bindTexture(gl.TEXTURE_2D, texture);
      upload();
      check();
    } catch (error) {
      facts.errors.push(String(error));
    }
  };
  return {
    facts,
    allocate: (frame) =>
      attempt(() => gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, frame)),
    copy: (frame) =>
      attempt(() => gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, gl.RGBA, gl.UNSIGNED_BYTE, frame)),
  };
}

// The first frame creates the texture and stays its image. Each later frame is copied into it at once.
const immediate = makeTexture();
let image;
// The next animation frame uploads the newest frame.
const next = makeTexture();
let newest;
// Each frame gets its own texture. It is uploaded when the scene is drawn, as components do.
const late = makeTexture();

function frameCb(frame) {
  if (!image) {
    image = frame;
    immediate.allocate(frame);
  } else {
    immediate.copy(frame);
  }
  newest = frame;
  requestAnimationFrame(() => requestAnimationFrame(() => late.allocate(frame)));
}

function draw() {
  if (newest) next.allocate(newest);
  newest = undefined;
  // The kept image gives the size of the shown frame.
  if (image) customer.kept = [image.width, image.height];
  customer.immediate = immediate.facts;
  customer.next = next.facts;
  customer.late = late.facts;
  requestAnimationFrame(draw);
}

// After a context loss a renderer uploads the kept image again.
customer.restore = () => {
  const texture = makeTexture();
  texture.allocate(image);
  return texture.facts;
};

run(async () => {
  await Hyperbeam(screen, asked.embedUrl, { frameCb, timeout: 20_000 });
  draw();
});
