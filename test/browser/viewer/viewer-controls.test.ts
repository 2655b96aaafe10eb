import { resetMouse, sendKeys, sendMouse } from '@web/test-runner-commands';
import { EventEmitter } from 'eventemitter3';
import { CloudBrowserClient } from '../../../src/core/index.js';
import * as part from '../../../src/viewer/controls/controls.js';
import { Placement } from '../../../src/viewer/picture/placement.js';
import { ViewerControls } from '../../../src/viewer/controls/viewer-controls.js';
import { FakeHost } from '../../fakes/fake-host.js';
import { equal, ok, rejected } from '../support/assert.js';

const turn = () => new Promise((resolve) => setTimeout(resolve));

describe('the controls of a viewer, while they load,', () => {
  let host: HTMLElement;
  let container: HTMLElement;
  let field: HTMLInputElement;
  let client: CloudBrowserClient;
  let controls: ViewerControls;
  let arrive: () => void;

  beforeEach(() => {
    [host, container] = [document.createElement('div'), document.createElement('div')];
    field = document.createElement('input');
    // As in the element: outside the shadow root, the focused element is the host.
    host.attachShadow({ mode: 'open' }).append(container);
    document.body.append(host, field);
    const { createSocket } = new FakeHost();
    client = new CloudBrowserClient({ embedUrl: 'https://host.example/a', media: ['image'], createSocket });
    const canvas = document.createElement('canvas');
    container.append(canvas);
    const placement = new Placement(canvas, 'contain', container);
    const come = new Promise<typeof part>((resolve) => (arrive = () => resolve(part)));
    controls = new ViewerControls(
      { client, container, placement, events: new EventEmitter() },
      () => undefined,
      () => come,
    );
    controls.change({ viewOnly: false });
  });

  afterEach(async () => {
    await resetMouse();
    controls.close();
    host.remove();
    field.remove();
  });

  it('keep a focus request and apply it when they are loaded', async () => {
    controls.focus();
    ok(document.activeElement === document.body);
    arrive();
    await controls.settled;
    ok(document.activeElement === host);
  });

  it('do not take the focus back if it has moved', async () => {
    controls.focus();
    field.focus();
    arrive();
    await controls.settled;
    ok(document.activeElement === field);
  });

  it('take the focus from a button that a script has focused since the request', async () => {
    const button = document.body.appendChild(document.createElement('button'));
    controls.focus();
    button.focus();
    arrive();
    await controls.settled;
    ok(document.activeElement === host);
    button.remove();
  });

  for (const way of ['the Tab key', 'the mouse'] as const)
    it(`do not take the focus from a button that the user has chosen with ${way} since the request`, async () => {
      const button = document.body.appendChild(document.createElement('button'));
      button.textContent = 'Cancel';
      const other = document.body.appendChild(document.createElement('button'));
      // Tab goes on from here.
      field.focus();
      controls.focus();
      if (way === 'the Tab key') await sendKeys({ press: 'Tab' });
      else {
        const { left, top, width, height } = button.getBoundingClientRect();
        const position: [number, number] = [Math.round(left + width / 2), Math.round(top + height / 2)];
        await sendMouse({ type: 'click', position });
      }
      ok(document.activeElement === button);
      await turn();
      arrive();
      await controls.settled;
      ok(document.activeElement === button);
      button.remove();
      other.remove();
    });

  it('take the focus after the user has pressed a button and a script has focused another one', async () => {
    const [button, other] = [document.createElement('button'), document.createElement('button')];
    document.body.append(button, other);
    field.focus();
    controls.focus();
    await sendKeys({ press: 'Tab' });
    ok(document.activeElement === button);
    await turn();
    other.focus();
    arrive();
    await controls.settled;
    ok(document.activeElement === host);
    button.remove();
    other.remove();
  });

  it('take the focus after a press on the picture', async () => {
    container.tabIndex = 0;
    Object.assign(container.style, { width: '100px', height: '100px' });
    controls.focus();
    const { left, top } = container.getBoundingClientRect();
    await sendMouse({ type: 'click', position: [Math.round(left) + 50, Math.round(top) + 50] });
    ok(host.shadowRoot?.activeElement === container);
    await turn();
    arrive();
    await controls.settled;
    ok(host.shadowRoot.activeElement.localName === 'textarea');
  });

  it('apply only the latest of several focus requests', async () => {
    field.focus();
    controls.focus();
    field.blur();
    controls.focus();
    field.focus();
    arrive();
    await controls.settled;
    ok(document.activeElement === field);
    controls.focus();
    ok(document.activeElement === host);
  });

  it('take the focus after they are loaded, also if a request was lost because too much waited', async () => {
    for (let count = 0; count < 100; count++) controls.do(() => undefined);
    controls.focus();
    arrive();
    await controls.settled;
    controls.focus();
    ok(document.activeElement === host);
  });

  it('keep the settings that are made', async () => {
    controls.change({ viewOnly: true });
    arrive();
    await controls.settled;
    equal([controls.settings.viewOnly, container.querySelector('textarea')], [true, null]);
  });

  it('keep a limited number of requests, and run them in order', async () => {
    const done: number[] = [];
    for (let count = 0; count < 1_000; count++) controls.do(() => done.push(count));
    arrive();
    await controls.settled;
    equal(
      done,
      Array.from({ length: 100 }, (_, count) => count),
    );
  });

  it('are cancelled if the viewer is closed', async () => {
    const ready = rejected(controls.ready);
    controls.close();
    arrive();
    await turn();
    equal((await ready).message, 'The viewer was closed.');
    equal([controls.loaded, container.querySelector('textarea')], [undefined, null]);
  });
});
