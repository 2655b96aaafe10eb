import { until, within } from '../../walk/deadline.js';
import { IN_FIELD, type Scene } from '../scene.js';

/** Time for a page to accept a command, and for a call to be answered. */
export const CALL_LIMIT_MS = 5_000;
/**
 * Time after which a tone is played again until it is heard. A browser may still use the old sound server.
 */
const TONE_INTERVAL_MS = 1_500;
const PLAY_TONE = `{
  window.context?.close();
  window.context = new AudioContext();
  const tone = new OscillatorNode(context);
  tone.connect(context.destination);
  tone.start();
}`;

/** Reloads the front page until it is loaded, as users do after the notice of a crash. */
export async function reload({ victim }: Scene, limitMs: number): Promise<void> {
  const { loads } = victim.page;
  await until('the page is loaded again', limitMs, async () => {
    if (victim.page.loads > loads) return true;
    victim.person.click(IN_FIELD);
    victim.person.press('F5');
    return until('it loads', 1_000, () => victim.page.loads > loads).catch(() => false);
  });
}

/** Reloads the page by force although its process hangs, as an embedder can. */
export async function force({ victim }: Scene, limitMs: number): Promise<void> {
  const { loads, url } = victim.page;
  const { tabs } = victim.person.client;
  await within('the tab goes', limitMs, tabs.update(null, { url, force: true }));
  await until('the page is loaded again', limitMs, () => victim.page.loads > loads);
}

/** Opens a second window, which must come to the front, report that it is painted, and accept a key. */
export async function openWindow({ victim, pages }: Scene, limitMs: number): Promise<void> {
  const popup = pages.page('marker');
  const open = `void addEventListener('click', () => open(${JSON.stringify(popup.url)}, '', 'popup'), { once: true })`;
  await until('a window opens', limitMs, async () => {
    if (popup.loads > 0) return true;
    await within('the page takes an order', CALL_LIMIT_MS, victim.page.run(open)).catch(() => undefined);
    victim.person.click(IN_FIELD);
    return until('it is painted', 2_000, () => popup.loads > 0).catch(() => false);
  });
  await popup.run("addEventListener('keydown', ({ key }) => report({ event: key }))");
  await until('the window takes a key', limitMs, async () => {
    victim.person.click(IN_FIELD);
    victim.person.press('KeyB');
    return until('it is told', 500, () => popup.count('b') > 0).catch(() => false);
  });
  await popup.run('close()');
}

/** Opens another page and goes back, which requires the network. */
export async function navigate({ victim, pages }: Scene, limitMs: number): Promise<void> {
  const elsewhere = pages.page('marker');
  const { tabs } = victim.person.client;
  const go = (url: string) => within('the tab goes', CALL_LIMIT_MS, tabs.update(null, { url }));
  await until('another page is loaded', limitMs, async () => {
    await go(elsewhere.url).catch(() => undefined);
    return until('it is loaded', 2_000, () => elsewhere.loads > 0).catch(() => false);
  });
  const { loads, url } = victim.page;
  await go(url);
  await until('the page is loaded again', limitMs, () => victim.page.loads > loads);
}

/** Queries the tabs, which requires the extension's worker. */
export async function askForTabs({ victim }: Scene, limitMs: number): Promise<void> {
  const { tabs } = victim.person.client;
  await until('the tabs are told', limitMs, () =>
    within('they are told', CALL_LIMIT_MS, tabs.query({})).then(
      (found) => found.length > 0,
      () => false,
    ),
  );
}

/** Asserts that a tone is heard that the page plays from now on. */
export async function hear({ victim }: Scene, limitMs: number): Promise<void> {
  const { client } = victim.person;
  let sounds = 0;
  const count = () => (sounds += 1);
  client.on('sound', count);
  client.setSound(true);
  let tries = 0;
  await until('the tone is heard', limitMs, async () => {
    tries += 1;
    const before = sounds;
    victim.person.click(IN_FIELD);
    const playing = victim.page.run(PLAY_TONE);
    await within('the page plays', CALL_LIMIT_MS, playing).catch(() => undefined);
    return until('sound comes', tries * TONE_INTERVAL_MS, () => sounds > before + 10).catch(() => false);
  });
  client.off('sound', count);
  client.setSound(false);
}
