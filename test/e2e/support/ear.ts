import type { JSHandle } from '@playwright/test';
import { until } from './until.js';

/** The resolution of a Fourier transform over two thirds of a second, with room for its window function. */
const TOLERANCE_HZ = 6;

/** Analyses the sound of a page's media track, so that tests can assert which tone is heard. */
export class Ear {
  private constructor(
    private readonly heard: JSHandle<{ analyser: AnalyserNode; levels: Float32Array<ArrayBuffer> }>,
  ) {}

  static async on(track: JSHandle<MediaStreamTrack>): Promise<Ear> {
    const heard = await track.evaluateHandle((listened) => {
      const context = new AudioContext();
      const analyser = new AnalyserNode(context, { fftSize: 32_768, smoothingTimeConstant: 0 });
      context.createMediaStreamSource(new MediaStream([listened])).connect(analyser);
      return { analyser, levels: new Float32Array(analyser.frequencyBinCount) };
    });
    return new Ear(heard);
  }

  /** The loudest frequency in hertz; 0 in silence. */
  async frequency(): Promise<number> {
    return this.heard.evaluate(({ analyser, levels }) => {
      analyser.getFloatFrequencyData(levels);
      const loudest = levels.reduce((best, level, bin) => (level > levels[best]! ? bin : best), 0);
      const audible = levels[loudest]! > -40;
      return audible ? (loudest * analyser.context.sampleRate) / analyser.fftSize : 0;
    });
  }

  /** Resolves when a tone of this frequency is heard. */
  async hears(tone: number): Promise<void> {
    await until(`a tone of ${tone} Hz is heard`, async () => {
      const difference = (await this.frequency()) - tone;
      return Math.abs(difference) < TOLERANCE_HZ;
    });
  }

  async hearsNothing(): Promise<void> {
    await until('it is silent', async () => (await this.frequency()) === 0);
  }
}
