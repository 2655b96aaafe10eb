// A page that analyses what the session plays, and shows a level.
import Hyperbeam from './client.js';
import { asked, customer, run, screen } from './asked.js';

run(async () => {
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { fftSize: 16_384, smoothingTimeConstant: 0 });
  const levels = new Float32Array(analyser.frequencyBinCount);
  customer.tracks = [];
  await Hyperbeam(screen, asked.embedUrl, {
    timeout: 20_000,
    volume: 0.8,
    audioTrackCb: (track) => {
      customer.tracks.push(track.kind);
      context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
    },
  });
  const look = () => {
    analyser.getFloatFrequencyData(levels);
    const loudest = levels.reduce((best, level, bin) => (level > levels[best] ? bin : best), 0);
    const audible = levels[loudest] > -40;
    customer.frequency = audible ? (loudest * context.sampleRate) / analyser.fftSize : 0;
    requestAnimationFrame(look);
  };
  look();
  // Browsers play no sound before a user gesture.
  addEventListener('click', () => void context.resume());
});
