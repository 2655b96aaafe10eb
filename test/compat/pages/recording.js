// A page that records the session for its users: what the <video> shows and plays, into a file.
import Hyperbeam from './client.js';
import { asked, customer, run, screen } from './asked.js';

run(async () => {
  await Hyperbeam(screen, asked.embedUrl, { timeout: 20_000 });
  const video = screen.shadowRoot.getElementById('vid');
  video.addEventListener('play', () => (customer.played = true));

  customer.record = async (seconds) => {
    const recorder = new MediaRecorder(video.captureStream(), {
      mimeType: 'video/webm;codecs=vp8,opus',
      videoBitsPerSecond: 4_000_000,
    });
    const parts = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const stopped = new Promise((resolve) => (recorder.onstop = resolve));
    recorder.start(1_000);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    recorder.stop();
    await stopped;
    const reader = new FileReader();
    reader.readAsDataURL(new Blob(parts));
    await new Promise((resolve) => (reader.onload = resolve));
    return reader.result.split(',')[1];
  };
});
