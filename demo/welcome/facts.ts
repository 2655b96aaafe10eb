import { find } from './find.js';

/** Milliseconds between two counts of frames. */
const COUNT_MS = 1_000;

/** Shows facts about the browser that runs this page, and keeps them up to date. */
export function showFacts(): void {
  const fact = (name: string, text: string) => {
    const place = find(HTMLElement, `[data-fact=${name}]`);
    if (place.textContent !== text) place.textContent = text;
  };
  const version = /Chrome\/(\d+)/.exec(navigator.userAgent)?.[1];
  if (version) fact('browser', `Chromium ${version}`);
  const showScreen = () => fact('screen', `${innerWidth} × ${innerHeight}`);
  showScreen();
  addEventListener('resize', showScreen);
  addEventListener('pointermove', ({ clientX, clientY, pointerType }) => {
    fact('pointer', `${pointerType} ${Math.round(clientX)}, ${Math.round(clientY)}`);
  });

  let [frames, since] = [0, performance.now()];
  const count = (now: number) => {
    frames += 1;
    if (now - since >= COUNT_MS) {
      fact('rate', `${Math.round((frames * 1_000) / (now - since))} per second`);
      [frames, since] = [0, now];
    }
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
}
