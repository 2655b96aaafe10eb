import assert from 'node:assert/strict';
import { zip } from '../fakes/zip.js';
import { askSession } from './support/ask-session.js';
import { openAddress, typeAddress } from './support/address-bar.js';
import type { HostedPage } from './support/hosted-page.js';
import { NameServer } from './support/name-server.js';
import { descendants, EGRESS, namespaceOf } from './support/processes.js';
import { Service, type Session } from './support/service.js';
import { TargetServer } from './support/target-server.js';
import { cleanUpAtEnd, test } from './support/test.js';
import { until } from './support/until.js';

cleanUpAtEnd();
// Isolation must hold every time, so these tests are not retried.
test.describe.configure({ retries: 0, timeout: 180_000 });

/** Ways of a page to reach an address, as scripts: `$` stands for `host:port/path`. */
const VECTORS: Record<string, string> = {
  fetch: "fetch('http://$', { mode: 'no-cors' }).catch(() => 0)",
  XMLHttpRequest: "{ const x = new XMLHttpRequest(); x.open('GET', 'http://$'); x.send(); }",
  'an image': "new Image().src = 'http://$'",
  'a frame': "document.body.appendChild(document.createElement('iframe')).src = 'http://$'",
  'a script': "document.body.appendChild(document.createElement('script')).src = 'http://$.js'",
  'a style sheet':
    "{ const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = 'http://$'; document.head.append(l); }",
  'a video':
    "{ const v = document.createElement('video'); v.src = 'http://$'; v.load(); document.body.append(v); }",
  'an object':
    "{ const o = document.createElement('object'); o.data = 'http://$'; document.body.append(o); }",
  'a PDF':
    "{ const e = document.createElement('embed'); e.type = 'application/pdf'; e.src = 'http://$'; document.body.append(e); }",
  'a beacon': "navigator.sendBeacon('http://$', 'x')",
  'an event stream': "new EventSource('http://$')",
  'a form': `{ const f = document.createElement('form'); const i = document.createElement('iframe'); i.name = 'f' + Math.random();
    document.body.append(i, f); f.target = i.name; f.method = 'post'; f.action = 'http://$'; f.submit(); }`,
  'a WebSocket': "new WebSocket('ws://$')",
  'a worker': "new Worker(URL.createObjectURL(new Blob([\"fetch('http://$', { mode: 'no-cors' })\"])))",
  'a redirect': "new Image().src = 'http://REDIRECT/go?to=' + encodeURIComponent('http://$')",
};

/** Spellings of addresses that mean this machine or its networks, and the rule that refuses each. */
const SPELLINGS: [host: string, rule: string][] = [
  ['127.0.0.1', 'loopback'],
  ['127.1', 'loopback'],
  ['2130706433', 'loopback'],
  ['0x7f000001', 'loopback'],
  ['0177.0.0.1', 'loopback'],
  ['127.8.9.10', 'loopback'],
  ['localhost.', 'loopback'],
  ['[::1]', 'loopback'],
  ['[::ffff:127.0.0.1]', 'loopback'],
  ['[::ffff:7f00:1]', 'loopback'],
  ['0.0.0.0', 'reserved'],
  ['0', 'reserved'],
  ['[::]', 'reserved'],
  ['[64:ff9b::7f00:1]', 'reserved'],
  ['[2002:7f00:1::]', 'reserved'],
  ['169.254.169.254', 'link_local'],
  ['2852039166', 'link_local'],
  ['[::ffff:169.254.169.254]', 'link_local'],
  ['[fe80::1]', 'link_local'],
  ['10.0.0.1', 'private'],
  ['10.1', 'private'],
  ['192.168.0.1', 'private'],
  ['172.16.0.1', 'private'],
  ['100.64.0.1', 'private'],
  ['[fd00::1]', 'private'],
  ['224.0.0.1', 'multicast'],
  ['metadata.test', 'link_local'],
  ['inside.test', 'private'],
  ['inside6.test', 'private'],
];

let service: Service;
let names: NameServer;
/** Open to hosted pages; closed to them. */
let open: TargetServer;
let closed: TargetServer;
let session: Session;
let page: HostedPage;

test.beforeAll(async ({ pages }) => {
  [names, open, closed] = await Promise.all([NameServer.start(), TargetServer.start(), TargetServer.start()]);
  names.names.set('open.test', '127.0.0.1');
  names.names.set('closed.test', '127.0.0.1');
  names.names.set('rebound.test', '127.0.0.1');
  names.names.set('metadata.test', '169.254.169.254');
  names.names.set('inside.test', '10.0.0.5');
  names.names.set('inside6.test', 'fd00::5');
  page = pages.page('marker');
  const served = new URL(page.url).host;
  service = await Service.start({
    EGRESS_ALLOW: [served, `127.0.0.1:${open.port}`].join(),
    EGRESS_DNS: names.address,
  });
  session = await service.create({ start_url: page.url, kiosk: false, width: 800, height: 600 });
  await page.loaded();
});

/** Requests refused so far, by rule. */
async function refusals(): Promise<Record<string, number>> {
  const headers = { authorization: `Bearer ${service.key}` };
  const text = await (await fetch(`${service.url}/metrics`, { headers })).text();
  const found = text.matchAll(/^cloud_browser_egress_refused_total\{rule="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...found].map(([, rule = '', count]) => [rule, Number(count)]));
}

const refusedBy = async (rule: string) => (await refusals())[rule] ?? 0;

/** The titles of a session's tabs. */
async function titles(of: Session): Promise<string[]> {
  const tabs = (await askSession(of, 'POST', 'tabs.query', [{}])) as { title?: string }[];
  return tabs.map(({ title = '' }) => title);
}

test('an address of this machine or its networks is no page, however it is written', async () => {
  const other = await service.create({ start_url: 'about:blank', width: 640, height: 480 });
  for (const [host, rule] of SPELLINGS) {
    const before = await refusedBy(rule);
    await service.show(other, `http://${host}:${closed.port}/`);
    await until(`${host} is refused as ${rule}`, async () => (await refusedBy(rule)) > before);
  }
  assert.equal(closed.connections, 0);
  await service.show(other, `http://open.test:${open.port}/navigated`);
  await until('the open page is there', async () => (await titles(other)).includes('Reached'));
  await service.show(other, `http://127.0.0.1:${closed.port}/`);
  await until('the person is told', async () => (await titles(other)).includes('Forbidden'));
  await service.end(other);
});

test('the service is closed to its hosted pages, and so is what another session listens on', async () => {
  const other = await service.create({ start_url: 'about:blank', width: 640, height: 480 });
  const { port } = new URL(service.url);
  const before = await refusedBy('service');
  await service.show(other, `http://127.0.0.1:${port}/`);
  await until('the service is refused', async () => (await refusedBy('service')) > before);
  const loopback = await refusedBy('loopback');
  await service.show(other, 'http://127.0.0.1:3128/');
  await until('the proxies are refused', async () => (await refusedBy('loopback')) > loopback);
  await service.end(other);
});

for (const [name, script] of Object.entries(VECTORS)) {
  const fill = (place: string) => script.replaceAll('$', place).replace('REDIRECT', `127.0.0.1:${open.port}`);

  test(`${name} reaches what is open, and nothing else`, async () => {
    const path = name.replaceAll(' ', '-');
    await page.run(fill(`open.test:${open.port}/${path}`));
    await until(`${name} reaches the open server`, () => open.has(`/${path}`));
    for (const host of ['127.0.0.1', 'closed.test', '[::ffff:127.0.0.1]']) {
      const before = await refusals();
      await page.run(fill(`${host}:${closed.port}/${path}`));
      await until(
        `${name} to ${host} is refused`,
        async () => (await refusedBy('loopback')) > (before['loopback'] ?? 0),
      );
    }
    const before = await refusedBy('link_local');
    await page.run(fill(`metadata.test/${path}`));
    await until(`${name} to the metadata is refused`, async () => (await refusedBy('link_local')) > before);
    assert.equal(closed.connections, 0);
  });
}

test('WebRTC reaches a relay that is open, and none of this machine or its networks', async () => {
  const relayed = (address: string) =>
    page.run(`{
      const peer = new RTCPeerConnection({ iceTransportPolicy: 'relay',
        iceServers: [{ urls: 'turn:${address}?transport=tcp', username: 'u', credential: 'c' }] });
      (globalThis.peers ??= []).push(peer);
      peer.createDataChannel('x');
      void peer.createOffer().then((offer) => peer.setLocalDescription(offer));
    }`);
  /** Asks again after a while: a busy machine makes Chromium give a relay up before it has asked for it. */
  const asking = (address: string, done: () => boolean | Promise<boolean>) =>
    until(`the relay ${address} is tried`, async () => {
      await relayed(address);
      return until('it is tried', done, 8_000).catch(() => false);
    });
  for (const [address, rule] of [
    [`127.0.0.1:${closed.port}`, 'loopback'],
    [`closed.test:${closed.port}`, 'loopback'],
    ['10.0.0.1:3478', 'private'],
  ] as const) {
    const before = await refusedBy(rule);
    await asking(address, async () => (await refusedBy(rule)) > before);
  }
  const before = open.connections;
  await asking(`127.0.0.1:${open.port}`, () => open.connections > before);
  assert.equal(closed.connections, 0);
});

test('a name that means another address the next time reaches neither', async () => {
  const origin = `http://rebound.test:${open.port}`;
  const read = () =>
    page.run(
      `fetch('${origin}/rebound').then(({ status }) => report({ status }), () => report({ status: 0 }))`,
    );
  await read();
  await page.until('the name is open', ({ status }) => status === 200);
  names.names.set('rebound.test', '10.0.0.9');
  const before = await refusedBy('private');
  await until('the name is refused', async () => {
    await read();
    return page.state['status'] !== 200;
  });
  await until('it is counted', async () => (await refusedBy('private')) > before);
});

test('an extension reaches what is open, and nothing else', async () => {
  const form = new FormData();
  form.set('body', JSON.stringify({ start_url: 'about:blank', extension: { field: 'archive' } }));
  const content = `fetch('http://127.0.0.1:${open.port}/extension');
    for (const host of ['127.0.0.1:${closed.port}', '10.7.0.1']) fetch('http://' + host).catch(() => 0);`;
  const manifest = {
    ...{ manifest_version: 3, name: 'Reacher', version: '1', host_permissions: ['<all_urls>'] },
    background: { service_worker: 'worker.js' },
  };
  const files = [
    { name: 'manifest.json', content: JSON.stringify(manifest) },
    { name: 'worker.js', content },
  ];
  form.set('archive', new Blob([new Uint8Array(zip(files))]), 'extension.zip');
  const before = await refusals();
  const response = await fetch(`${service.url}/v0/vm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}` },
    body: form,
  });
  assert.equal(response.status, 200, await response.clone().text());
  const other = (await response.json()) as Session;
  await until('the extension reaches the open server', () => open.has('/extension'));
  for (const rule of ['loopback', 'private'])
    await until(`${rule} is refused`, async () => (await refusedBy(rule)) > (before[rule] ?? 0));
  assert.equal(closed.connections, 0);
  await service.end(other);
});

test('addresses that people type are judged alike', async ({ watch }) => {
  const viewer = await watch(session);
  await openAddress(viewer, `127.0.0.1:${open.port}/typed`, () => open.has('/typed'));
  const before = await refusedBy('loopback');
  const refused = async () => (await refusedBy('loopback')) > before;
  await openAddress(viewer, `127.0.0.1:${closed.port}/typed`, refused);
  for (const address of ['view-source:http://127.0.0.1', 'file:///etc/passwd', 'chrome://net-internals'])
    await typeAddress(viewer, `${address}:${closed.port}/\n`);
  await openAddress(viewer, `127.0.0.1:${open.port}/then`, () => open.has('/then'));
  assert.equal(closed.connections, 0);
});

test('a session goes on when the process that connects it was killed', async () => {
  const egress = () => descendants(service.pid).find(({ command }) => EGRESS.test(command));
  const first = egress();
  assert.ok(first);
  await service.show(session, page.url);
  await page.loaded(2);
  process.kill(first.pid, 'SIGKILL');
  await service.show(session, `http://127.0.0.1:${open.port}/after`);
  await until('the page opens', async () => {
    if (open.has('/after')) return true;
    await service.show(session, `http://127.0.0.1:${open.port}/after`);
    return false;
  });
  assert.notEqual(egress()?.pid, first.pid);
  const before = await refusedBy('loopback');
  await service.show(session, `http://127.0.0.1:${closed.port}/`);
  await until('it judges as before', async () => (await refusedBy('loopback')) > before);
});

test('no process of the browser is in the network of this machine', () => {
  const all = descendants(service.pid).filter(({ command }) => /\/chromium\/chromium /.test(command));
  assert.ok(all.length > 3);
  for (const { pid, command } of all)
    assert.notEqual(namespaceOf(pid, 'net'), namespaceOf(service.pid, 'net'), command);
});
