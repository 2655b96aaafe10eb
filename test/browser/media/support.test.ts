import { probeMedia, simplerKinds } from '../../../src/media/support.js';
import { equal } from '../support/assert.js';

const answering = (supported: (config: VideoDecoderConfig) => boolean) => ({
  isConfigSupported: (config: VideoDecoderConfig) =>
    Promise.resolve({ config, supported: supported(config) }),
});

describe('probing what a browser can show', () => {
  it('finds H.264 in this one', async () => {
    equal((await probeMedia()).kinds, ['h264-444', 'h264', 'image']);
  });

  it('offers full colour only where it was decoded', async () => {
    const scope = { isSecureContext: true, VideoDecoder: answering(() => true) };
    equal((await probeMedia(scope, () => Promise.resolve(false))).kinds, ['h264', 'image']);
  });

  it('prefers a software decoder, which holds no picture back', async () => {
    const { acceleration } = await probeMedia({ isSecureContext: true, VideoDecoder: answering(() => true) });
    equal(acceleration, 'prefer-software');
  });

  it('takes hardware where there is no software decoder', async () => {
    const hardware = answering((config) => config.hardwareAcceleration !== 'prefer-software');
    const support = await probeMedia({ isSecureContext: true, VideoDecoder: hardware }, () =>
      Promise.resolve(false),
    );
    equal([support.kinds, support.acceleration], [['h264', 'image'], 'no-preference']);
  });

  it('says that a page without https gets images', async () => {
    const support = await probeMedia({ isSecureContext: false });
    equal([support.kinds, support.imageOnly?.cause], [['image'], 'insecure-page']);
  });

  it('says that a browser without WebCodecs, or without H.264, gets images', async () => {
    equal((await probeMedia({ isSecureContext: true })).imageOnly?.cause, 'no-webcodecs');
    const none = await probeMedia({ isSecureContext: true, VideoDecoder: answering(() => false) });
    equal(none.imageOnly?.cause, 'no-h264');
    const broken = { isConfigSupported: () => Promise.reject(new TypeError('no')) };
    equal((await probeMedia({ isSecureContext: true, VideoDecoder: broken })).imageOnly?.cause, 'no-h264');
  });
});

describe('a kind that cannot be decoded after all', () => {
  it('is followed by the simpler ones', () => {
    equal(simplerKinds('h264-444'), ['h264', 'image']);
    equal(simplerKinds('h264'), ['image']);
    equal(simplerKinds('image'), []);
  });
});
