import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { RawViewer } from '../support/raw-viewer.js';
import { sharedPercent, wordsOfMirror, wordsOfPage } from '../support/accessible-words.js';
import { connectClient } from '../support/sdk-client.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 900 };
const PAGES = ['mirror-form', 'mirror-table', 'mirror-menu', 'mirror-live', 'mirror-dialog'];

/** Opens the embed page of a session with the mirror on. Returns a locator of the mirror. */
async function mirrorOf(page: Page, session: Session): Promise<Locator> {
  await page.goto(session.embed_url);
  const element = page.locator('cloud-browser');
  await element.evaluate((found) => found.setAttribute('accessibility', 'mirror'));
  return element.locator('.mirror');
}

test.describe('the accessibility mirror of a remote page', () => {
  for (const name of PAGES)
    test(`has the same roles, names and states as the page's own browser: ${name}`, async ({
      show,
      pages,
      browser,
    }) => {
      const { session } = await show(name, { kiosk: true, ...SIZE });
      const [page, own] = [await browser.newPage(), await browser.newPage()];
      await own.goto(pages.page(name).url);
      await mirrorOf(page, session);
      const wanted = await wordsOfPage(own);
      let found: string[] = [];
      await until(
        `95 % of ${name} is mirrored`,
        async () => sharedPercent(wanted, (found = await wordsOfMirror(page))) >= 95,
      ).catch((error: unknown) => {
        const missing = wanted.filter((word) => !found.includes(word));
        throw new Error(`Missing: ${missing.join(' | ')}; found ${found.join(' | ')}.`, { cause: error });
      });
      const percent = sharedPercent(wanted, found).toFixed(1);
      note(`${name}: ${percent} % of ${wanted.length} nodes`);
      console.log(`${name}: ${percent} % of ${wanted.length} nodes, ${found.length} in the mirror`);
      await Promise.all([page.close(), own.close()]);
    });

  test(
    'lets the user fill in and send a form by roles and names alone',
    { tag: '@main' },
    async ({ show, browser }) => {
      const { remote, session } = await show('mirror-form', { kiosk: true, ...SIZE });
      const page = await browser.newPage();
      const mirror = await mirrorOf(page, session);
      await mirror.getByRole('textbox', { name: 'Name' }).fill('Ada');
      await mirror.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.com');
      assert.equal(await mirror.getByLabel('Password').inputValue(), '', 'a password is never told');
      await mirror.getByLabel('Password').fill('hush');
      await mirror.getByRole('textbox', { name: 'Note' }).fill('Two\nlines');
      await mirror.getByRole('combobox', { name: 'Plant' }).selectOption('Ivy');
      await mirror.getByRole('radio', { name: 'Large' }).dispatchEvent('click');
      await mirror.getByRole('checkbox', { name: 'It is a gift' }).dispatchEvent('click');
      await mirror
        .getByRole('checkbox', { name: 'It is a gift', checked: true })
        .waitFor({ state: 'attached' });
      await mirror.getByRole('button', { name: 'Send the order' }).press('Enter');
      await mirror.getByText('Thank you, Ada').waitFor({ state: 'attached' });
      // The report of the page may arrive after the change of its text.
      await remote.until('the page has reported the form', ({ sent }) => sent !== undefined);
      const { sent, trusted } = remote.state;
      assert.deepEqual(sent, [
        'Ada',
        'ada@example.com',
        'hush',
        'Two\nlines',
        'Ivy',
        'large',
        '2',
        '1',
        true,
      ]);
      assert.ok(Array.isArray(trusted) && trusted.includes('input name') && trusted.includes('submit form'));
      await page.close();
    },
  );

  test('lets the user choose from a menu and answer a dialog in a frame of another origin', async ({
    show,
  }) => {
    for (const [name, steps] of [
      [
        'mirror-menu',
        [
          ['button', 'File'],
          ['menuitem', 'Open'],
          ['StaticText', 'You chose Open'],
        ],
      ],
      [
        'mirror-dialog',
        [
          ['button', 'Pay'],
          ['button', 'Yes'],
          ['StaticText', 'Paid with 1234'],
        ],
      ],
    ] as const) {
      const { session } = await show(name, { kiosk: true, ...SIZE });
      const client = await connectClient(session);
      const tree = await client.accessibility();
      tree.watch(() => undefined);
      const find = (role: string, called: string) =>
        until(`${role} ${called} is there`, () =>
          [...tree.nodes.values()].find((node) => node.role === role && node.name === called),
        );
      for (const [role, called] of steps) {
        if (called === 'Yes') await tree.setValue((await find('textbox', 'Code')).id, '1234');
        const { id } = await find(role, called);
        if (role !== 'StaticText') await tree.click(id);
      }
      client.disconnect();
    }
  });
});

test.describe('a raw socket without control', () => {
  test.describe.configure({ retries: 0 });

  test('cannot act through the accessibility tree, and invalid actions are refused', async ({ show }) => {
    const { remote, session } = await show('mirror-form', { kiosk: true, default_roles: [], ...SIZE });
    const raw = await RawViewer.open(session);
    await raw.call('subscribe', 'accessibility.onUpdate');
    await until('the tree is told', () =>
      raw.messages.some((message) => JSON.stringify(message).includes('Send the order')),
    );
    assert.ok(!JSON.stringify(raw.messages).includes('swordfish'), 'a password was told');
    for (const id of [1, 5, 20, 66])
      for (const act of [['click'], ['focus'], ['scroll'], ['set', 'smuggled']]) {
        const answer = await raw.call('accessibility.act', id, ...act);
        assert.equal(answer.error?.code, 'err_forbidden', act[0]);
      }
    for (const args of [
      [],
      ['1', 'click'],
      [1, 'dance'],
      [1.5, 'click'],
      [1, 'set'],
      [1, 'set', 'x'.repeat(32_769)],
    ]) {
      const answer = await raw.call('accessibility.act', ...args);
      assert.equal(answer.error?.code, 'err_invalid_parameter', JSON.stringify(args).slice(0, 40));
    }
    assert.equal(await remote.run('name_.value + note.value'), 'Ring twice');
    raw.close();
  });
});
