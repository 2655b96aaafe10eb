import { sendKeys, sendMouse } from '@web/test-runner-commands';
import axe from './axe.js';
import { equal, ok } from '../support/assert.js';
import { answers, ask, element, HANDOFF, shadow } from '../support/handoff-bar.js';

describe('the bar with the request of an agent in <cloud-browser>', () => {
  it('can be folded to a button that shows it again, and keeps the note', async () => {
    const fold = () => shadow('.handoff .fold');
    const expanded = () => fold()?.getAttribute('aria-expanded');
    const drawn = (selector: string) => shadow(selector)?.checkVisibility();
    await ask(HANDOFF);
    shadow('[part=handoff-add-note]')?.click();
    shadow('[part=handoff-note]')?.focus();
    await sendKeys({ type: 'The code was 1234.' });
    equal([fold()?.getAttribute('aria-label'), expanded()], ['Helper needs your help', 'true']);
    await sendKeys({ press: 'Tab' });
    ok(element.shadowRoot?.activeElement === fold());
    await sendKeys({ press: 'Enter' });
    await element.updateComplete;
    equal([expanded(), drawn('[part=handoff-done]'), drawn('[part=handoff-note]')], ['false', false, false]);
    ok(fold()?.textContent.includes('Helper needs your help'));
    ok(element.shadowRoot?.activeElement === fold());
    await sendKeys({ press: 'Enter' });
    await element.updateComplete;
    equal([expanded(), drawn('[part=handoff-done]')], ['true', true]);
    shadow('[part=handoff-done]')?.click();
    equal(answers(), [['h1', 'done', 'The code was 1234.']]);
  });

  it('is not folded when the next request appears', async () => {
    await ask(HANDOFF);
    shadow('.handoff .fold')?.click();
    await ask({ ...HANDOFF, id: 'h2' });
    ok(shadow('[part=handoff-done]')?.checkVisibility());
  });

  it('leaves most of a small picture free when it is folded', async () => {
    Object.assign(element.style, { inset: '0 auto auto 0', width: '355px', height: '200px' });
    await ask(HANDOFF);
    shadow('.handoff .fold')?.click();
    await element.updateComplete;
    const { width = 0, height = 0 } = shadow('[part=handoff]')?.getBoundingClientRect() ?? {};
    ok(width > 0 && width < 355 && height > 0 && height < 50, `${width} × ${height}`);
  });

  it('keeps the keyboard in the remote browser when a pointer folds it', async () => {
    await ask(HANDOFF);
    element.focus();
    const field = element.shadowRoot?.activeElement;
    ok(shadow('.surface')?.contains(field ?? null));
    const { x = 0, y = 0, width = 0, height = 0 } = shadow('.handoff .fold')?.getBoundingClientRect() ?? {};
    await sendMouse({
      type: 'click',
      position: [Math.round(x + width / 2), Math.round(y + height / 2)],
    });
    await element.updateComplete;
    equal(shadow('.handoff .fold')?.getAttribute('aria-expanded'), 'false');
    ok(element.shadowRoot?.activeElement === field);
  });

  for (const [width, height] of [
    [560, 400],
    [800, 600],
  ] as const)
    it(`gives a long text its whole width in a picture of ${width}x${height}`, async () => {
      Object.assign(element.style, { inset: '0 auto auto 0', width: `${width}px`, height: `${height}px` });
      await ask({ ...HANDOFF, name: 'W'.repeat(57), instructions: 'A long word. '.repeat(150) });
      const bar = shadow('[part=handoff]')?.getBoundingClientRect();
      const text = shadow('.request')?.getBoundingClientRect();
      const answer = shadow('[part=handoff-done]')?.getBoundingClientRect();
      ok(bar && text && answer);
      ok(text.width >= bar.width - 80, `${text.width} of ${bar.width}`);
      ok(text.width > 450 && text.width < 650, `${text.width}`);
      ok(answer.top >= text.bottom, `${answer.top} ${text.bottom}`);
    });

  it('has one row for a short text and its answers', async () => {
    await ask({ ...HANDOFF, instructions: 'Log in.' });
    const text = shadow('.request')?.getBoundingClientRect();
    const answer = shadow('[part=handoff-done]')?.getBoundingClientRect();
    ok(text && answer && answer.left >= text.right && answer.top < text.bottom);
  });

  it('shows all its answers in a picture that is hardly higher than the bar', async () => {
    document.documentElement.lang = 'de';
    Object.assign(element.style, { inset: '0 auto auto 0', width: '320px', height: '180px' });
    await ask(HANDOFF);
    while (shadow('[part=handoff-done]')?.textContent.trim() !== 'Erledigt')
      await new Promise((resolve) => requestAnimationFrame(resolve));
    const outer = element.getBoundingClientRect();
    const bar = shadow('[part=handoff]')?.getBoundingClientRect();
    ok(bar && bar.top >= outer.top && bar.bottom <= outer.bottom, JSON.stringify(bar));
  });

  for (const [width, height] of [
    [256, 144],
    [256, 150],
    [160, 90],
    [600, 150],
  ] as const)
    it(`shows its text, its answers and the button that folds it in a picture of ${width}x${height}`, async () => {
      Object.assign(element.style, { inset: '0 auto auto 0', width: `${width}px`, height: `${height}px` });
      await ask({ ...HANDOFF, name: 'The assistant of the accounting department' });
      const outer = element.getBoundingClientRect();
      const expectInside = (...parts: string[]) => {
        for (const part of parts) {
          const box = shadow(part)?.getBoundingClientRect();
          ok(box && box.top >= outer.top && box.bottom <= outer.bottom, `${part} ${JSON.stringify(box)}`);
          const hit = element.shadowRoot?.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
          ok(hit?.closest(part), `${part} is covered`);
        }
      };
      const expectLine = () => ok((shadow('.request')?.clientHeight ?? 0) >= 19);
      expectInside('[part=handoff]', '[part=handoff-done]', '[part=handoff-refused]', '.fold');
      expectLine();
      shadow('[part=handoff-add-note]')?.click();
      expectInside('[part=handoff]', '[part=handoff-done]', '.fold');
      expectLine();
    });

  it('keeps its answers below a message of two lines in a picture of 256x144', async () => {
    Object.assign(element.style, { inset: '0 auto auto 0', width: '256px', height: '144px' });
    await ask(HANDOFF);
    element.notify('A message that needs two lines in a small picture.');
    await element.updateComplete;
    const message = shadow('.status .pill')?.getBoundingClientRect();
    const done = shadow('[part=handoff-done]')?.getBoundingClientRect();
    ok(message && done && message.height > 40 && message.bottom <= done.top);
  });

  it('passes the checks of accessibility while it is folded', async () => {
    await ask(HANDOFF);
    shadow('.handoff .fold')?.click();
    await element.updateComplete;
    for (const animation of element.getAnimations({ subtree: true })) animation.finish();
    const { violations } = await axe.run(element);
    equal(
      violations.map(({ id }) => id),
      [],
    );
  });
});
