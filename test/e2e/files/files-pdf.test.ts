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

const PRINTS: [how: string, print: (guest: Guest) => void][] = [
  ['Ctrl+P', ({ hands }) => hands.press('Control+KeyP')],
  ['the button for printing', ({ hands }) => hands.click(...PRINT)],
];

test('a PDF in a frame is downloaded when the page around it prints the frame', async ({ service }) => {
  const page =
    '<!doctype html><title>Around</title>' +
    ['order', 'other']
      .map((name) => `<iframe src="/${name}.pdf" width="300" height="200"></iframe>`)
      .join('') +
    '<script>onclick = () => frames[0].print();</script>';
  const site = await AnsweringServer.start(({ url }, response) => {
    const isPdf = url?.endsWith('.pdf') === true;
    response.writeHead(200, { 'content-type': isPdf ? 'application/pdf' : 'text/html' });
    response.end(isPdf ? PDF : page);
  });
  const roles = ['control', 'file_download'];
  const session = await service.create({ start_url: site.url, ...SIZE, kiosk: true, default_roles: roles });
  const guest = await Guest.enter(session);
  // Until the viewer in the frame has loaded, a click has no effect.
  const download = await until('the document is downloaded', () => {
    guest.hands.click(300, 500);
    return [...guest.downloads.values()].find(({ name }) => name === 'order.pdf');
  });
  assert.equal(download.kind, 'download');
  const others = [...guest.downloads.values()].filter(({ name }) => name === 'other.pdf');
  assert.deepEqual(others, [], 'the other PDF is not printed');
});

for (const [how, print] of PRINTS) {
  test(`a PDF is downloaded by ${how}`, async ({ service }) => {
    const site = await AnsweringServer.start((_, response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' }).end(PDF);
    });
    const roles = ['control', 'file_download'];
    const url = `${site.url}/order.pdf`;
    const session = await service.create({ start_url: url, ...SIZE, kiosk: true, default_roles: roles });
    const guest = await Guest.enter(session);
    // Until the viewer has loaded, a click has no effect, and the keys print the page around the viewer.
    const download = await until('the document is downloaded', () => {
      print(guest);
      return [...guest.downloads.values()].find(
        ({ name, state }) => name === 'order.pdf' && state === 'done',
      );
    });
    assert.equal(download.kind, 'download');
    assert.equal(await (await guest.fetch(download)).text(), PDF);
  });
}
