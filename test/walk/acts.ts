import { call, openDialogs, tabNumbers } from './calls.js';
import { KEYS, MODIFIERS, SHORTCUTS } from './keys.js';
import { Person } from './person.js';
import { describe, onInterface, onPage } from './places.js';
import type { Random } from './random.js';
import type { Mode, Scene } from './scene.js';
import type { HostileSite } from './site/hostile-site.js';

/** A kind of act. Its random choices are the same for the same seed, whatever the outcome of earlier acts. */
interface Act {
  /** Probability of the act, relative to the others. */
  weight: number;
  /** Makes the random choices. Resolves to the action and a sentence that describes it. */
  plan(
    random: Random,
    site: HostileSite,
    mode: Mode,
  ): { told: string; perform: (scene: Scene) => Promise<void> | void };
}

const TEXTS = ['hello', 'Grüße', 'é', 'naïve ß', 'a b c'];
const SIZES: readonly [number, number][] = [
  [1280, 720],
  [1024, 600],
  [800, 600],
  [640, 480],
  [390, 700],
  [1279, 719],
];

const ACTS: readonly Act[] = [
  {
    weight: 20,
    plan(random) {
      const held = MODIFIERS.filter(() => random.chance(0.3));
      const keys = [...held, random.pick(KEYS)].join('+');
      return { told: `presses ${keys}`, perform: ({ person }) => person.press(keys) };
    },
  },
  {
    weight: 12,
    plan(random) {
      const keys = random.pick(SHORTCUTS);
      return { told: `presses ${keys}`, perform: ({ person }) => person.press(keys) };
    },
  },
  {
    weight: 18,
    plan(random) {
      const [place, button] = [onPage(random), random.pick([0, 0, 0, 0, 1, 2, 3, 4])];
      const told = `clicks on the page with button ${button} at ${describe(place)}`;
      return { told, perform: ({ person }) => person.click(place, button) };
    },
  },
  {
    weight: 8,
    plan(random) {
      const [place, button] = [onInterface(random), random.pick([0, 0, 0, 1, 2])];
      const told = `clicks at the top with button ${button} at ${describe(place)}`;
      return { told, perform: ({ person }) => person.click(place, button) };
    },
  },
  {
    weight: 3,
    plan(random) {
      const place = random.pick([onInterface, onPage])(random);
      const told = `double-clicks at ${describe(place)}`;
      return {
        told,
        perform({ person }) {
          person.click(place);
          person.click(place);
        },
      };
    },
  },
  {
    weight: 5,
    plan(random) {
      const [from, to] = [
        random.pick([onInterface, onPage])(random),
        random.pick([onInterface, onPage])(random),
      ];
      const told = `drags from ${describe(from)} to ${describe(to)}`;
      return { told, perform: ({ person }) => person.drag(from, to) };
    },
  },
  {
    weight: 6,
    plan(random) {
      const text = random.pick(TEXTS);
      const told = `types "${text}"`;
      return { told, perform: ({ person }) => person.type(text) };
    },
  },
  {
    weight: 2,
    plan(random) {
      const text = random.pick(['漢字', 'ありがとう', '🙂']);
      return { told: `enters "${text}"`, perform: ({ person }) => person.commit(text) };
    },
  },
  {
    weight: 4,
    plan(random) {
      const [place, delta, notched] = [
        onPage(random),
        random.pick([-480, -120, 120, 480]),
        random.chance(0.5),
      ];
      const told = `scrolls by ${delta} ${notched ? 'with a wheel' : 'with a touchpad'} at ${describe(place)}`;
      return { told, perform: ({ person }) => person.scroll(place, delta, notched) };
    },
  },
  {
    weight: 3,
    plan(random) {
      const place = onPage(random);
      return { told: `taps at ${describe(place)}`, perform: ({ person }) => person.tap(place) };
    },
  },
  {
    weight: 14,
    plan(random, site, mode) {
      const name = random.pick(site.names);
      const method = mode === 'kiosk' || random.chance(0.5) ? 'tabs.update' : 'tabs.create';
      const told = `opens ${name} by ${method}`;
      const perform = async (scene: Scene) => {
        await call(scene, method, { url: scene.site.address(name) });
      };
      return { told, perform };
    },
  },
  {
    weight: 4,
    plan(random) {
      const [rounds, offset] = [3 + random.below(6), random.below(10)];
      const perform = async (scene: Scene) => {
        const tabs = await tabNumbers(scene);
        for (let round = 0; round < rounds && tabs.length > 0; round++)
          await call(scene, 'tabs.update', tabs[(offset + round) % tabs.length], { active: true });
      };
      return { told: `changes tabs ${rounds} times`, perform };
    },
  },
  {
    weight: 3,
    plan(random) {
      const which = random.below(10);
      const perform = async (scene: Scene) => {
        const tabs = await tabNumbers(scene);
        const tab = tabs[which % tabs.length];
        if (tab !== undefined) await call(scene, 'tabs.remove', tab);
      };
      return { told: 'closes a tab with tabs.remove', perform };
    },
  },
  {
    weight: 3,
    plan(random) {
      const [width, height] = random.pick(SIZES);
      const perform = async (scene: Scene) => {
        await call(scene, 'resize', width, height);
      };
      return { told: `resizes the screen to ${width} x ${height}`, perform };
    },
  },
  {
    weight: 2,
    plan() {
      const perform = async (scene: Scene) => {
        if (scene.guest) scene.guest.leave();
        scene.guest = scene.guest ? undefined : await Person.join(scene.session);
      };
      return { told: 'lets a second viewer come or go', perform };
    },
  },
  {
    weight: 4,
    plan(random) {
      const [place, keys] = [random.pick([onInterface, onPage])(random), random.pick(SHORTCUTS)];
      const perform = ({ guest }: Scene) => {
        guest?.click(place);
        guest?.press(keys);
      };
      return { told: `as the second viewer clicks at ${describe(place)} and presses ${keys}`, perform };
    },
  },
  {
    weight: 2,
    plan(random) {
      const key = random.pick(KEYS);
      const told = `loses the network with ${key} and a button held`;
      const perform = async ({ person }: Scene) => {
        person.hold(key);
        person.cut();
        await person.playing();
      };
      return { told, perform };
    },
  },
  {
    weight: 4,
    plan(random) {
      const accept = random.chance(0.5);
      const perform = async (scene: Scene) => {
        for (const tab of await openDialogs(scene)) await call(scene, 'dialogs.answer', tab, { accept });
      };
      return { told: `answers all dialogs with ${accept ? 'yes' : 'no'}`, perform };
    },
  },
  {
    weight: 3,
    plan(random) {
      const method = random.pick(['tabs.reload', 'tabs.goBack', 'tabs.goForward'] as const);
      const perform = async (scene: Scene) => {
        await call(scene, method);
      };
      return { told: `calls ${method}`, perform };
    },
  },
  {
    weight: 2,
    plan() {
      const perform = async ({ person }: Scene) => {
        person.cut();
        await person.playing();
      };
      return { told: 'loses the network', perform };
    },
  },
];

/** Chooses the next act at random. */
export function nextAct(random: Random, site: HostileSite, mode: Mode): ReturnType<Act['plan']> {
  return random.pickWeighted(ACTS).plan(random, site, mode);
}
