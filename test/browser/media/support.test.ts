import { colourError } from '../../../src/media/known-picture.js';
import { probeMedia, simplerKinds } from '../../../src/media/support.js';
import type { MediaKind } from '../../../src/protocol/index.js';
import { equal, ok } from '../support/assert.js';

const answering = (supported: (config: VideoDecoderConfig) => boolean) => ({
  isConfigSupported: (config: VideoDecoderConfig) =>
    Promise.resolve({ config, supported: supported(config) }),
});

/** The kinds of video that a browser offers when its colours of some kinds are off by this much. */
async function kindsOf(errors: Partial<Record<MediaKind, number>>): Promise<MediaKind[]> {
  const scope = { isSecureContext: true, VideoDecoder: answering(() => true) };
  return (await probeMedia(scope, (kind) => Promise.resolve(errors[kind] ?? 2))).kinds;
}

describe('the probe of the media support of a browser', () => {
  it('finds H.264 in this browser', async () => {
    equal((await probeMedia()).kinds, ['h264-444', 'h264', 'image']);
  });

  it('offers full colour only if the test picture was decoded', async () => {
    equal(await kindsOf({ 'h264-444': Infinity }), ['h264', 'image']);
    equal(await kindsOf({ 'h264-444': 17 }), ['h264', 'image']);
  });

  it('offers the colour range that is decoded correctly', async () => {
    equal(await kindsOf({}), ['h264-444', 'h264', 'image']);
    equal(await kindsOf({ h264: 17 }), ['h264-444', 'h264-limited', 'image']);
    equal(await kindsOf({ h264: 17, 'h264-limited': 30 }), ['h264-444', 'h264', 'image']);
    equal(await kindsOf({ h264: Infinity, 'h264-limited': Infinity }), ['h264-444', 'h264', 'image']);
  });

  it('measures the colour error of a picture', async () => {
    for (const kind of ['h264-444', 'h264', 'h264-limited'] as const) {
      const error = await colourError(kind, 'prefer-software');
      ok(error <= 4, `${kind} is wrong by ${error}`);
    }
  });

  it('treats a missing answer of the browser as unsupported', async () => {
    const never = () => new Promise<never>(() => undefined);
    const scope = { isSecureContext: true, VideoDecoder: answering(() => true) };
    equal((await probeMedia(scope, never, 20)).kinds, ['h264', 'image']);
    const silent = { ...scope, VideoDecoder: { isConfigSupported: never } };
    equal((await probeMedia(silent, never, 20)).kinds, ['image']);
  });

  it('prefers a software decoder, which does not delay pictures', async () => {
    const { acceleration } = await probeMedia({ isSecureContext: true, VideoDecoder: answering(() => true) });
    equal(acceleration, 'prefer-software');
  });

  it('uses hardware if there is no software decoder', async () => {
    const hardware = answering((config) => config.hardwareAcceleration !== 'prefer-software');
    const support = await probeMedia({ isSecureContext: true, VideoDecoder: hardware }, (kind) =>
      Promise.resolve(kind === 'h264' ? 0 : Infinity),
    );
    equal([support.kinds, support.acceleration], [['h264', 'image'], 'no-preference']);
  });

  // Proves: page: a page without https
  it('reports that a page without https gets images', async () => {
    const support = await probeMedia({ isSecureContext: false });
    equal([support.kinds, support.imageOnly?.cause], [['image'], 'insecure-page']);
  });

  it('reports that a browser without WebCodecs or H.264 gets images', async () => {
    equal((await probeMedia({ isSecureContext: true })).imageOnly?.cause, 'no-webcodecs');
    const none = await probeMedia({ isSecureContext: true, VideoDecoder: answering(() => false) });
    equal(none.imageOnly?.cause, 'no-h264');
    const broken = { isConfigSupported: () => Promise.reject(new TypeError('no')) };
    equal((await probeMedia({ isSecureContext: true, VideoDecoder: broken })).imageOnly?.cause, 'no-h264');
  });
});

describe('a kind that cannot be decoded after all', () => {
  it('is replaced by simpler ones', () => {
    const kinds = ['h264-444', 'h264', 'image'] as const;
    equal(simplerKinds('h264-444', kinds), ['h264', 'image']);
    equal(simplerKinds('h264', kinds), ['image']);
    equal(simplerKinds('image', kinds), []);
  });
});
