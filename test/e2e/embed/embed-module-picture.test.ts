import assert from 'node:assert/strict';
import { Embedder } from '../support/embedder.js';
import type { HostedPage } from '../support/hosted-page.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
/** Odd sides, so that the encoded picture is larger than the visible one. */
const SIZE = { width: 641, height: 481 };
let session: Session;
let remote: HostedPage;
let embedder: Embedder;
test.beforeAll(async ({ service, pages }) => {
  remote = pages.page('typing');
  session = await service.create({ start_url: remote.url, ...SIZE });
  await remote.fills(SIZE);
});
test.beforeEach(async ({ browser }) => {
  embedder = await Embedder.open(browser);
});

const paint = (colour: string) => remote.run(`void (document.body.style.background = "${colour}")`);
const isGreen = (colour: unknown) => {
  const [red = 0, green = 0, blue = 0] = colour as number[];
  return green > 100 && red < 60 && blue < 60;
};

/** Resolves when the page's own copy of the session's video is green. */
const copyTurnsGreen = () =>
  until('the copy is green', async () =>
    isGreen(
      await embedder.page.evaluate(() => {
        const copy = document.querySelector<HTMLVideoElement>('#copy')!;
        return copy.videoWidth > 0 ? window.colourOf(copy, 0.5, 0.9) : [];
      }),
    ),
  );

test.describe('the <video> of an embed', () => {
  // Proves: page: #vid
  test('has the size and the picture of the session, and follows changes', async () => {
    await paint('red');
    await embedder.start('one', session.embed_url);
    await embedder.shows('one');
    await paint('green');
    await until('the video is green', async () =>
      isGreen(
        await embedder.page.evaluate(() => {
          const video = window.embeds['one']!.target.shadowRoot!.querySelector('video')!;
          return video.videoWidth > 0 ? window.colourOf(video, 0.5, 0.9) : [];
        }),
      ),
    );
    const size = await embedder.page.evaluate(() => {
      const video = window.embeds['one']!.target.shadowRoot!.querySelector('video')!;
      return [video.videoWidth, video.videoHeight];
    });
    assert.deepEqual(size, [SIZE.width, SIZE.height]);
  });

  // Proves: page: captureStream() of #vid
  test('can be captured at once, even while the picture is still', async () => {
    await paint('green');
    await embedder.start('one', session.embed_url);
    const tracks = await embedder.page.evaluate(() => {
      const video = window.embeds['one']!.target.shadowRoot!.querySelector('video')!;
      const stream = (video as HTMLVideoElement & { captureStream(): MediaStream }).captureStream();
      window.play(stream);
      return stream.getTracks().map(({ kind }) => kind);
    });
    assert.deepEqual(tracks, ['audio', 'video']);
    await copyTurnsGreen();
  });
});

test.describe('frames for the page', () => {
  for (const place of ['detached', 'hidden']) {
    // Proves: page: a hidden page
    test(`arrive as bitmaps of one size even when the container is ${place}`, async () => {
      await paint('red');
      await embedder.start('one', session.embed_url, { place, wants: 'frames' });
      const seen = () =>
        embedder.page.evaluate(() => {
          const { frames } = window.embeds['one']!;
          const newest = frames.at(-1);
          return {
            sizes: frames.map(({ width, height }) => `${width}x${height}`),
            colour: newest ? window.colourOf(newest, 0.5, 0.9) : [],
          };
        });
      await until('a red frame comes', async () => {
        const [red = 0] = (await seen()).colour;
        return red > 200;
      });
      await paint('green');
      await until('the newest frame is green', async () => isGreen((await seen()).colour));
      const { sizes } = await seen();
      // Older frames are closed. A closed frame has no size.
      const open = sizes.filter((size) => size !== '0x0');
      assert.deepEqual([...new Set([sizes[0], ...open])], [`${SIZE.width}x${SIZE.height}`]);
    });
  }

  // Proves: option videoTrackCb
  test('arrive as a track if the page requests one', async () => {
    await paint('green');
    await embedder.start('one', session.embed_url, { wants: 'track' });
    await copyTurnsGreen();
  });

  // Proves: option videoPaused; option volume
  test('stop while the video is paused, and resume with the current picture', async () => {
    await paint('red');
    await embedder.start('one', session.embed_url);
    await embedder.shows('one');
    await embedder.set('one', 'videoPaused', true);
    await paint('green');
    const colour = () =>
      embedder.page.evaluate(() => {
        const canvas = window.embeds['one']!.target.shadowRoot!.querySelector('canvas')!;
        return window.colourOf(canvas, 0.5, 0.9);
      });
    // A frame that arrives after this moment arrives after everything that was sent before it.
    await embedder.call('one', 'tabs.query', {});
    assert.equal(isGreen(await colour()), false);
    await embedder.set('one', 'videoPaused', false);
    await until('it is green', async () => isGreen(await colour()));
    await embedder.set('one', 'volume', 0.5);
    const volume = await embedder.page.evaluate(
      () => window.embeds['one']!.target.shadowRoot!.querySelector('video')!.volume,
    );
    assert.equal(volume, 0.5);
  });
});
