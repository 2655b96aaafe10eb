const KEY_STEP = 24;
const KEYS: Record<string, [number, number]> = {
  ArrowLeft: [-KEY_STEP, 0],
  ArrowRight: [KEY_STEP, 0],
  ArrowUp: [0, -KEY_STEP],
  ArrowDown: [0, KEY_STEP],
};

/** Makes an element movable by its grip, with pointer or arrow keys, within the window. */
export function makeMovable(element: HTMLElement, grip: HTMLElement): void {
  let hold: { x: number; y: number } | undefined;

  const moveTo = (left: number, top: number) => {
    const { width, height } = element.getBoundingClientRect();
    element.classList.add('moved');
    element.style.left = `${Math.max(0, Math.min(left, innerWidth - width))}px`;
    element.style.top = `${Math.max(0, Math.min(top, innerHeight - height))}px`;
  };

  grip.addEventListener('pointerdown', (event) => {
    const { left, top } = element.getBoundingClientRect();
    hold = { x: event.clientX - left, y: event.clientY - top };
    grip.setPointerCapture(event.pointerId);
  });
  grip.addEventListener('pointermove', ({ clientX, clientY }) => {
    if (hold) moveTo(clientX - hold.x, clientY - hold.y);
  });
  grip.addEventListener('lostpointercapture', () => (hold = undefined));
  grip.addEventListener('keydown', (event) => {
    const step = KEYS[event.key];
    if (!step) return;
    const { left, top } = element.getBoundingClientRect();
    moveTo(left + step[0], top + step[1]);
    event.preventDefault();
  });
}
