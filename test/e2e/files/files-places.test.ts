import assert from 'node:assert/strict';
import { Guest } from '../support/file-guest.js';
import { sha256, someBytes, someFile } from '../support/some-files.js';
import { cleanUpAtEnd, test } from '../support/test.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 800 };
const MANY = [150, 85] as const;
const DROP = [100, 230] as const;
const ROLES = ['control', 'file_upload', 'file_download'];

for (const [where, parameters] of [
  ['tabs', { kiosk: false }],
  ['a kiosk', { kiosk: true }],
  ['a phone', { kiosk: true, user_agent: 'chrome_android' }],
] as const)
  test(`files in a popup of ${where} can be chosen, dropped and downloaded as in a page`, async ({
    service,
    pages,
  }) => {
    const [opener, popup] = [pages.page('opener'), pages.page('files')];
    const session = await service.create({
      ...{ start_url: opener.url, ...SIZE, default_roles: ROLES },
      ...parameters,
    });
    await opener.loaded();
    await opener.run(`link.href = ${JSON.stringify(popup.url)}; way = 'sized'`);
    const guest = await Guest.enter(session);
    guest.hands.click(400, 400);
    await popup.loaded();
    const place = async ([x, y]: readonly [number, number]): Promise<[number, number]> => {
      const [width, height] = (await popup.run('[innerWidth, innerHeight]')) as [number, number];
      const scale = SIZE.width / width;
      return [Math.round(x * scale), Math.round(SIZE.height - height * scale + y * scale)];
    };

    const { id, multiple } = await guest.asked(await place(MANY));
    assert.ok(multiple);
    await guest.client.files.upload({ chooser: id }, [someFile('a', 5_000), someFile('b', 10)]);
    await popup.event('change many');
    const seen = popup.state['many'] as { name: string; hash: string }[];
    assert.deepEqual(
      seen.map(({ name, hash }) => [name, hash]),
      [
        ['a', sha256(someBytes(5_000))],
        ['b', sha256(someBytes(10))],
      ],
    );

    const [x, y] = await place(DROP);
    await guest.client.files.upload({ x, y }, [someFile('dropped.bin', 100)]);
    await popup.event('drop');
    const { files } = popup.state['drop'] as { files: { name: string }[] };
    assert.deepEqual(
      files.map(({ name }) => name),
      ['dropped.bin'],
    );

    await popup.run("offer('out.bin', 70000)");
    const answer = await guest.fetch(await guest.downloaded('out.bin'));
    assert.equal(sha256(new Uint8Array(await answer.arrayBuffer())), sha256(someBytes(70_000)));
    await service.end(session);
  });
