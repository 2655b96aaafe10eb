import { colourError } from '../../../src/media/known-picture.js';
import { equal } from '../support/assert.js';

const RealDecoder = VideoDecoder;

/** Decodes nothing. */
class EmptyDecoder extends RealDecoder {
  override decode(): void {
    return;
  }
}

class SilentDecoder extends EmptyDecoder {
  override flush(): Promise<void> {
    return new Promise(() => undefined);
  }
}

/** Gives frames that cannot be drawn. */
class ClosingDecoder extends RealDecoder {
  constructor({ output, error }: VideoDecoderInit) {
    super({
      output: (frame) => {
        frame.close();
        output(frame);
      },
      error,
    });
  }
}

describe('the colour error of a known picture is infinite', () => {
  afterEach(() => {
    globalThis.VideoDecoder = RealDecoder;
  });

  // Each test asks for another kind, because outcomes are cached.
  it('if the decoder never answers', async () => {
    globalThis.VideoDecoder = SilentDecoder;
    equal(await colourError('h264', 'prefer-software'), Infinity);
  });

  it('if the decoder ends without a picture', async () => {
    globalThis.VideoDecoder = EmptyDecoder;
    equal(await colourError('h264-444', 'prefer-software'), Infinity);
  });

  it('if the picture cannot be drawn', async () => {
    globalThis.VideoDecoder = ClosingDecoder;
    equal(await colourError('h264-limited', 'prefer-software'), Infinity);
  });
});
