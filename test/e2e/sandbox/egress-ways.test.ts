import { zip } from '../../fakes/zip.js';
import { askSession } from '../support/ask-session.js';
import { openAddress, typeAddress } from '../support/address-bar.js';
import { FORBIDDEN_HOSTS, FORBIDDEN_KINDS } from '../support/forbidden-hosts.js';
import { GuardedService } from '../support/guarded-service.js';
import type { HostedPage } from '../support/hosted-page.js';
import { PAGE_WAYS, scriptOf } from '../support/page-ways.js';
import { Service, type Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
// Isolation must hold every time, so these tests are not retried.
test.describe.configure({ retries: 0, timeout: 300_000 });

const isRoot = process.getuid?.() === 0;
const USERS: readonly (readonly [uid: number | undefined, name: string])[] = isRoot
  ? [
      [undefined, 'root'],
      // Sessions and the egress process then run as the user of the service.
      [Service.uidBase + 999, 'another user'],
    ]
  : [[undefined, 'its user']];

/** Addresses with schemes other than http and https. `$` stands for `host:port`. */
const SCHEMES = [
  ...['view-source:http://$/', 'file:///etc/passwd', 'file://$/etc/passwd', 'chrome://net-internals/#$'],
  ...[
    'devtools://devtools/bundled/inspector.html?ws=$/',
    'chrome-extension://$/',
    'filesystem:http://$/temporary/x',
  ],
  ...['ftp://$/', 'gopher://$/', 'ssh://$/', 'smb://$/x', 'mailto:x@$', 'tel:$', 'magnet:?tr=http://$/'],
  ...['jar:http://$/', 'feed:http://$/', 'web+way://$/', 'cloud-browser://$/', 'blob:http://$/x'],
  ...['intent://$/#Intent;scheme=http;end', 'javascript:void(0)//$', 'ws://$/', 'isolated-app://$/'],
];

/**
 * The complete test takes a minute per user. Without `EVERY_SPELLING`, the second user tries only some ways
 * and one address of each kind.
 */
const SHORT_WAYS = ['a fetch', 'a fetch over TLS', 'a WebSocket', 'a frame'];
const isWhole = (uid: number | undefined) => uid === undefined || process.env['EVERY_SPELLING'] !== undefined;

for (const [uid, user] of USERS) {
  test.describe(`in a service that runs as ${user},`, () => {
    let guarded: GuardedService;
    /** The session of the page that makes the attempts, and a session that is redirected. */
    let session: Session;
    let other: Session;
    let page: HostedPage;

    test.beforeAll(async ({ pages }) => {
      page = pages.page('marker');
      guarded = await GuardedService.start(uid, [new URL(page.url).host]);
      const { service } = guarded;
      session = await service.create({ start_url: page.url, kiosk: false, width: 800, height: 600 });
      other = await service.create({ start_url: 'about:blank', kiosk: false, width: 640, height: 480 });
      await page.loaded();
    });

    for (const [name, way] of PAGE_WAYS) {
      if (!isWhole(uid) && !SHORT_WAYS.includes(name)) continue;
      const tunnel = /https:|ws:/.test(way.script);
      // Proves: hosted pages reach public addresses only
      test(`${name} reaches open addresses, and never this machine or its networks in any spelling`, async () => {
        const { open } = guarded;
        const redirect = `127.0.0.1:${open.port}`;
        const path = name.replaceAll(' ', '-');
        const before = open.connections;
        await page.run(scriptOf(way, [`open.test:${open.port}/${path}`], redirect));
        await until(`${name} reaches the open server`, () =>
          /https:/.test(way.script) ? open.connections > before : open.has(`/${path}`),
        );
        const places = guarded.places(isWhole(uid) ? way.hosts : FORBIDDEN_KINDS, path);
        // Requests to the same host share one tunnel and its outcome.
        const asked = tunnel ? distinct(places) : places;
        const rules = asked.map(({ rule }) => rule);
        const script = scriptOf(
          way,
          places.map(({ place }) => place),
          redirect,
        );
        await guarded.refuses(name, rules, () => page.run(script));
      });
    }

    // Proves: hosted pages reach public addresses only
    test('a navigation reaches open addresses, and never this machine or its networks in any spelling', async () => {
      const { service, open } = guarded;
      for (const { place, rule } of guarded.places(
        isWhole(uid) ? FORBIDDEN_HOSTS : FORBIDDEN_KINDS,
        'navigation',
      ))
        await guarded.refuses(place, [rule], () => service.show(other, `http://${place}`));
      await guarded.refuses('a name before it', ['loopback'], () =>
        service.show(other, `http://open.test:x@127.0.0.1:${guarded.closedPort}/`),
      );
      await service.show(other, `http://open.test:${open.port}/navigation`);
      await until('the open page is there', () => open.has('/navigation'));
    });

    if (!isWhole(uid)) return;

    test('a redirect of a navigation reaches open addresses, but not this machine and its networks', async () => {
      const { service, open } = guarded;
      const from = (place: string) =>
        `http://127.0.0.1:${open.port}/go?to=${encodeURIComponent(`http://${place}`)}`;
      for (const { place, rule } of guarded.places(FORBIDDEN_KINDS, 'redirected'))
        await guarded.refuses(place, [rule], () => service.show(other, from(place)));
      await service.show(other, from(`open.test:${open.port}/redirected`));
      await until('the open page is there', () => open.has('/redirected'));
    });

    test('a typed address reaches open addresses, but not this machine and its networks', async ({
      watch,
    }) => {
      const viewer = await watch(session);
      const { open } = guarded;
      await openAddress(viewer, `127.0.0.1:${open.port}/typed`, () => open.has('/typed'));
      for (const [host, rule] of FORBIDDEN_KINDS.slice(0, 4)) {
        const before = await guarded.refusedBy(rule);
        const refused = async () => (await guarded.refusedBy(rule)) > before;
        await openAddress(viewer, `http://${host}:${guarded.closedPort}/typed`, refused);
      }
      for (const scheme of SCHEMES.slice(0, 4))
        await typeAddress(viewer, `${scheme.replace('$', `127.0.0.1:${guarded.closedPort}`)}\n`);
      await openAddress(viewer, `127.0.0.1:${open.port}/then`, () => open.has('/then'));
      guarded.assertUnreached();
      const loads = page.loads;
      await guarded.service.show(session, page.url);
      await page.loaded(loads + 1);
    });

    test('an address of another scheme reaches nothing', async () => {
      const { open } = guarded;
      const place = `127.0.0.1:${guarded.closedPort}`;
      const addresses = JSON.stringify(SCHEMES.map((scheme) => scheme.replaceAll('$', place)));
      await page.run(`for (const address of ${addresses}) {
        try { document.body.appendChild(document.createElement('iframe')).src = address; } catch {}
        try { const link = Object.assign(document.createElement('a'), { href: address, target: '_blank' }); link.click(); } catch {}
        fetch(address, { mode: 'no-cors' }).catch(() => 0);
        new Image().src = address;
      }`);
      // This request of a frame comes last, so the page has made all earlier requests.
      await guarded.refuses('data:', ['loopback'], () =>
        page.run(
          `document.body.appendChild(document.createElement('iframe')).src = 'data:text/html,<img src=http://${place}/>'`,
        ),
      );
      await page.run(`fetch('http://127.0.0.1:${open.port}/after-schemes', { mode: 'no-cors' })`);
      await until('the page goes on', () => open.has('/after-schemes'));
      guarded.assertUnreached();
    });

    // Proves: hosted pages reach public addresses only
    test('a service worker reaches open addresses, and never this machine or its networks in any spelling', async () => {
      const { service, open } = guarded;
      const places = guarded.places(FORBIDDEN_HOSTS, 'service-worker');
      const tries = [`127.0.0.1:${open.port}/service-worker-asked`, ...places.map(({ place }) => place)];
      const worker = `for (const place of ${JSON.stringify(tries)}) fetch('http://' + place, { mode: 'no-cors' }).catch(() => 0);
        oninstall = (event) => event.waitUntil(fetch('http://127.0.0.1:${open.port}/service-worker-installed'));`;
      const at = `http://127.0.0.1:${open.port}/worker?as=text/javascript&body=${encodeURIComponent(worker)}`;
      const html = `<script>navigator.serviceWorker.register(${JSON.stringify(at)})</script>`;
      const rules = places.map(({ rule }) => rule);
      await guarded.refuses('the worker', rules, () =>
        service.show(other, `http://127.0.0.1:${open.port}/page?body=${encodeURIComponent(html)}`),
      );
      for (const path of ['/service-worker-asked', '/service-worker-installed'])
        await until(`${path} is reached`, () => open.has(path));
    });

    // Proves: hosted pages reach public addresses only
    test('an extension reaches open addresses, and never this machine or its networks in any spelling', async () => {
      const { service, open } = guarded;
      const places = guarded.places(FORBIDDEN_HOSTS, 'extension');
      const tries = [`127.0.0.1:${open.port}/extension-worker`, ...places.map(({ place }) => place)];
      const content = `for (const place of ${JSON.stringify(tries)}) fetch('http://' + place).catch(() => 0);
        chrome.tabs.create({ url: 'page.html' });`;
      const inPage = `fetch('http://127.0.0.1:${open.port}/extension-page');
        for (const place of ${JSON.stringify(places.map(({ place }) => place))}) new Image().src = 'http://' + place;`;
      const manifest = {
        ...{ manifest_version: 3, name: 'Reacher', version: '1', host_permissions: ['<all_urls>'] },
        background: { service_worker: 'worker.js' },
      };
      const files = [
        { name: 'manifest.json', content: JSON.stringify(manifest) },
        { name: 'worker.js', content },
        {
          name: 'page.html',
          content: '<meta charset="utf-8"><title>Page</title><script src="page.js"></script>',
        },
        { name: 'page.js', content: inPage },
      ];
      const rules = places.map(({ rule }) => rule);
      let third: Session | undefined;
      await guarded.refuses('the extension', [...rules, ...rules], async () => {
        third = await service.createWith(zip(files), { start_url: 'about:blank' });
      });
      for (const path of ['/extension-worker', '/extension-page'])
        await until(`${path} is reached`, () => open.has(path));
      if (third) await service.end(third);
    });

    test('WebRTC and WebTransport reach an open relay, and no other relay receives a byte', async () => {
      const { open } = guarded;
      const hosts = [...FORBIDDEN_HOSTS.slice(0, 5), ['localhost', 'loopback']].map(
        ([host]) => `${host}:${guarded.closedPort}`,
      );
      const servers = (place: string) => [
        ...[`stun:${place}`, `turn:${place}?transport=udp`, `turn:${place}?transport=tcp`],
        `turns:${place}?transport=tcp`,
      ];
      const peer = (urls: string[], policy: string) => `try {
        const peer = new RTCPeerConnection({ iceTransportPolicy: '${policy}',
          iceServers: [{ urls: ${JSON.stringify(urls)}, username: 'u', credential: 'c' }] });
        (globalThis.peers ??= []).push(peer);
        peer.createDataChannel('x');
        void peer.createOffer().then((offer) => peer.setLocalDescription(offer));
      } catch {}`;
      const before = open.connections;
      await until('the open relay is tried', async () => {
        for (const host of hosts) {
          await page.run(peer(servers(host), 'all'));
          await page.run(`try { new WebTransport('https://${host}/').ready.catch(() => 0); } catch {}`);
        }
        const reachable = [`turn:127.0.0.1:${open.port}?transport=tcp`];
        await page.run(peer(reachable, 'relay'));
        const tried = () => open.connections > before;
        const done = await until('it is tried', tried, 8_000).catch(() => false);
        await page.run('globalThis.peers.splice(0).forEach((peer) => peer.close())');
        return done;
      });
      guarded.assertUnreached();
    });

    test('a name that resolves to another address the next time reaches neither address', async () => {
      const { names, open } = guarded;
      names.names.set('rebound.test', '127.0.0.1');
      const read = () =>
        page.run(
          `fetch('http://rebound.test:${open.port}/rebound').then(({ status }) => report({ status }), () => report({ status: 0 }))`,
        );
      await read();
      await page.until('the name is open', ({ status }) => status === 200);
      names.names.set('rebound.test', '10.0.0.9');
      const before = await guarded.refusedBy('private');
      await until('the name is refused', async () => {
        await read();
        return page.state['status'] !== 200;
      });
      await until('it is counted', async () => (await guarded.refusedBy('private')) > before);
    });

    test('a user sees why a page could not be loaded', async () => {
      await guarded.service.show(other, `http://127.0.0.1:${guarded.closedPort}/`);
      await until('the title says so', async () => {
        const tabs = (await askSession(other, 'POST', 'tabs.query', [{}])) as { title?: string }[];
        return tabs.some(({ title }) => title === 'Forbidden');
      });
    });
  });
}

/** Returns one of the hosts that a browser treats as the same place. */
function distinct<T extends { place: string }>(places: readonly T[]): T[] {
  return [...new Map(places.map((one) => [new URL(`http://${one.place}`).host, one])).values()];
}
