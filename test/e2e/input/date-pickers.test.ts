import { DisplayWindows } from '../support/display-windows.js';
import { Phones } from '../support/phones.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();

let phones: Phones;
test.beforeAll(({ service, pages, browser }) => {
  phones = new Phones(service, pages, browser);
});

const FIELD =
  '<label style="position: fixed; left: 20px; top: 30px; font-size: 30px">Day <i>of birth</i><br /><input type="date" style="font-size: 30px" /></label>';

test('a tap on a date field or its label opens the picker', async ({ service }) => {
  const { remote, fingers, viewer, close } = await phones.open('touch');
  const windows = await DisplayWindows.open(service);
  const opens = async (x: number, y: number) => {
    await viewer.atRest();
    await fingers.tap([x, y]);
    await until('a picker opens', async () => (await windows.popups()).length > 0);
    await viewer.page.keyboard.press('Escape');
    await until('the picker closes', async () => (await windows.popups()).length === 0);
  };
  await remote.run(`void (document.body.innerHTML = ${JSON.stringify(FIELD)})`);
  await opens(50, 85);
  await opens(110, 45);
  await close();
});
