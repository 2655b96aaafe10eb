import assert from 'node:assert/strict';
import { AnsweringServer } from '../support/answering-server.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();

/**
 * A page that listens for clicks at its root, as frameworks do, and shows what was clicked in its title.
 * `shop` is a frame of another site.
 */
const page = (shop: string) => `<!doctype html><meta charset="utf-8"><title>nothing</title>
<style>.hand { cursor: pointer } .out { position: absolute; top: 3000px }</style>
<div id="root">
  <div class="hand" data-act="add"><span><b>Add to</b> cart</span></div>
  <div class="hand" data-act="card"><h2>Chair</h2><span id="remove">Remove</span></div>
  <ul style="list-style: none"><li class="hand" data-act="city">Berlin</li></ul>
  <div class="hand"><a href="#help">Help</a></div>
  <div onclick="document.title = 'own'">Own handler</div>
  <div class="hand out" data-act="far">Far away</div>
  <div class="hand" style="display: none">Hidden</div>
</div>
<iframe src="${shop}" width="300" height="60"></iframe>
<script>
  document.addEventListener('click', ({ target }) => {
    const act = target.closest('[data-act]')?.dataset.act;
    if (act) document.title = act;
  });
  document.querySelector('#remove').addEventListener('click', (event) => {
    event.stopPropagation();
    document.title = 'removed';
  });
  addEventListener('message', ({ data }) => (document.title = data));
</script>`;
const SHOP = `<!doctype html><span style="cursor: pointer" id="pay">Pay now</span>
<script>document.onclick = ({ target }) => target.id === 'pay' && parent.postMessage('paid', '*');</script>`;

/** Calls a method of computer use, which must succeed. */
async function call({ embed_url, admin_token }: Session, method: string, body: object = {}) {
  const [base = ''] = embed_url.split('?');
  const headers = { authorization: `Bearer ${admin_token}` };
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${base}/computer/${method}`, request);
  const answer = (await response.json()) as Record<string, unknown>;
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer;
}

test('elements that only listen for clicks have a reference, and can be clicked with it', async ({
  service,
}) => {
  const site = await AnsweringServer.start(({ url, headers }, response) => {
    const { port } = new URL(`http://${headers.host ?? ''}`);
    const body = url === '/shop' ? SHOP : page(`http://localhost:${port}/shop`);
    response.writeHead(200, { 'content-type': 'text/html' }).end(body);
  });
  const size = { width: 800, height: 600 };
  const session = await service.create({ start_url: site.url, ...size, automation: true, kiosk: true });
  const lines = await until('the page is read with its frame', async () => {
    const { text } = await call(session, 'accessibility');
    return String(text).includes('Pay now') && String(text).split('\n');
  });
  const plain = lines.map((line) => line.replace(/ \[ref=e\d+\]/, ''));
  assert.deepEqual(plain.slice(0, 8), [
    '- clickable "Add to cart"',
    '- clickable',
    '  - heading "Chair" [level=2]',
    '  - clickable "Remove"',
    '- list',
    '  - listitem [clickable]',
    '    - text: Berlin',
    '- link "Help"',
  ]);
  assert.equal(plain.filter((line) => line.includes('Hidden')).length, 0);
  for (const [words, title] of [
    ['Add to cart', 'add'],
    ['Remove', 'removed'],
    ['Own handler', 'own'],
    ['Far away', 'far'],
    ['listitem', 'city'],
    ['Pay now', 'paid'],
  ] as const) {
    const ref = /\[ref=(e\d+)\]/.exec(lines.find((line) => line.includes(words)) ?? '')?.[1];
    assert.ok(ref, `${words} has no reference in ${lines.join('\n')}`);
    await call(session, 'click', { ref });
    await until(`${words} is clicked`, async () => (await call(session, 'accessibility'))['title'] === title);
  }
});
