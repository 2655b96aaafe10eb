/**
 * Runs in a page. Draws the film's picture at a moment on the page's canvas, and returns its pixels, RGBA as
 * base64. The last moment leads to the first, so that the film can repeat.
 *
 * @param {number} moment part of the film that has passed, 0 to 1
 * @param {number[]} glow brightness of each lantern, 0 to 1
 */
export function drawPicture({ moment, glow, width, height }) {
  const canvas =
    document.querySelector('canvas') ?? document.body.appendChild(document.createElement('canvas'));
  if (canvas.width !== width) Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const turn = moment * 2 * Math.PI;

  const sky = context.createLinearGradient(0, 0, 0, height);
  for (const [place, colour] of [
    [0, '#141b4d'],
    [0.45, '#5b3f9e'],
    [0.72, '#e0709a'],
    [1, '#ffc27a'],
  ])
    sky.addColorStop(place, colour);
  context.fillStyle = sky;
  context.fillRect(0, 0, width, height);

  const sun = { x: width * 0.7, y: height * (0.56 + 0.03 * Math.sin(turn)), r: height * 0.15 };
  const shine = context.createRadialGradient(sun.x, sun.y, sun.r, sun.x, sun.y, sun.r * 3);
  shine.addColorStop(0, 'rgb(255 226 170 / 55%)');
  shine.addColorStop(1, 'rgb(255 226 170 / 0%)');
  context.fillStyle = shine;
  context.fillRect(0, 0, width, height);
  context.fillStyle = '#ffe9bd';
  context.beginPath();
  context.arc(sun.x, sun.y, sun.r, 0, 7);
  context.fill();

  // Each range of hills repeats after the width, and moves by whole widths.
  const ranges = [
    {
      base: 0.7,
      colour: '#8d4a93',
      waves: [
        [2, 0.05, 1],
        [5, 0.015, 2],
      ],
      widths: 0,
    },
    {
      base: 0.8,
      colour: '#553483',
      waves: [
        [1, 0.05, 4],
        [3, 0.03, 0],
      ],
      widths: 1,
    },
    {
      base: 0.91,
      colour: '#241d52',
      waves: [
        [1, 0.03, 3],
        [2, 0.03, 5],
      ],
      widths: 2,
    },
  ];
  for (const { base, colour, waves, widths } of ranges) {
    context.fillStyle = colour;
    context.beginPath();
    context.moveTo(0, height);
    for (let x = 0; x <= width; x += 4) {
      const along = (x / width + moment * widths) * 2 * Math.PI;
      const rise = waves.reduce((sum, [times, high, from]) => sum + high * Math.sin(along * times + from), 0);
      context.lineTo(x, height * (base + rise));
    }
    context.lineTo(width, height);
    context.fill();
  }

  glow.forEach((light, index) => {
    const x = ((index + 0.5) / glow.length) * width;
    const swing = Math.sin(turn * 2 + index * 1.3);
    const y = height * (0.3 + 0.1 * Math.sin(index * 2.1)) + swing * 6 - light * 10;
    const size = height * (0.026 + 0.012 * light);
    const halo = context.createRadialGradient(x, y, 0, x, y, size * 4);
    halo.addColorStop(0, `rgb(255 214 130 / ${15 + 60 * light}%)`);
    halo.addColorStop(1, 'rgb(255 214 130 / 0%)');
    context.fillStyle = halo;
    context.fillRect(x - size * 4, y - size * 4, size * 8, size * 8);
    context.fillStyle = `hsl(${40 - 6 * light} 100% ${68 + 22 * light}%)`;
    context.beginPath();
    context.roundRect(x - size * 0.8, y - size, size * 1.6, size * 2, size * 0.6);
    context.fill();
  });

  const { data } = context.getImageData(0, 0, width, height);
  let text = '';
  for (let start = 0; start < data.length; start += 32_768)
    text += String.fromCharCode(...data.subarray(start, start + 32_768));
  return btoa(text);
}
