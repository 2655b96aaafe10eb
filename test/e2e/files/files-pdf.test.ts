import assert from 'node:assert/strict';
import { AnsweringServer } from '../support/answering-server.js';
import { Guest } from '../support/file-guest.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };
/** Place of the viewer's button for printing, from the right and upper edges of a kiosk. */
const PRINT = [SIZE.width - 71, 28] as const;
/** A document with one empty page. */
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF`;

test('a PDF is downloaded by Ctrl+P, and by the button for printing', async ({ service }) => {
  const site = await AnsweringServer.start((_, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' }).end(PDF);
  });
  const roles = ['control', 'file_download'];
  const url = `${site.url}/order.pdf`;
  const session = await service.create({ start_url: url, ...SIZE, kiosk: true, default_roles: roles });
  const guest = await Guest.enter(session);
  const done = () => [...guest.downloads.values()].filter(({ state }) => state === 'done');
  // The viewer ignores keys until it has loaded.
  const first = await until('the document is downloaded by keys', () => {
    guest.hands.press('Control+KeyP');
    return done()[0];
  });
  assert.deepEqual([first.name, first.kind], ['order.pdf', 'download']);
  assert.equal(await (await guest.fetch(first)).text(), PDF);
  // Downloads of the keys may follow. So this waits for more downloads than keys were pressed.
  const { size } = guest.downloads;
  guest.hands.click(...PRINT);
  await until('the document is downloaded by the button', () => done().length > size);
});
