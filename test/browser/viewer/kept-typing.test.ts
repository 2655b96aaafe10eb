import { EventEmitter } from 'eventemitter3';
import { CloudBrowserClient } from '../../../src/core/index.js';
import { Controls } from '../../../src/viewer/controls/controls.js';
import { Placement } from '../../../src/viewer/picture/placement.js';
import { FakeHost } from '../../fakes/fake-host.js';
import { equal, ok } from '../support/assert.js';

describe('the controls of a viewer', () => {
  it('send what the user types while the client reconnects', async () => {
    const container = document.body.appendChild(document.createElement('div'));
    const canvas = container.appendChild(document.createElement('canvas'));
    const host = new FakeHost();
    const { createSocket } = host;
    const embedUrl = 'https://host.example/a';
    const client = new CloudBrowserClient({ embedUrl, media: ['image'], createSocket });
    const placement = new Placement(canvas, 'contain', container);
    const settings = { viewOnly: false, keyboard: 'surface', resizeMode: 'none' } as const;
    const controls = new Controls({ settings, client, container, placement, events: new EventEmitter() });
    controls.apply();
    const connected = client.connect();
    host.last.welcome();
    await connected;
    const [first] = host.connections;
    const reconnecting = new Promise((resolve) => client.once('state', resolve));
    host.last.close();
    await reconnecting;
    equal(client.state, 'reconnecting');
    const field = container.querySelector('textarea');
    for (const type of ['keydown', 'keyup'])
      field?.dispatchEvent(new KeyboardEvent(type, { key: 'a', code: 'KeyA', bubbles: true }));
    while (host.last === first) await new Promise((resolve) => setTimeout(resolve));
    const playing = new Promise((resolve) => client.once('welcome', resolve));
    host.last.welcome();
    await playing;
    const keys = host.last.inputs.flatMap((event) => (event.type === 'key' ? [event] : []));
    equal(
      keys.map(({ key, pressed, seq }) => [key, pressed, seq > 0]),
      [
        ['a', true, true],
        ['a', false, true],
      ],
    );
    ok(first !== host.last);
    controls.close();
    client.disconnect();
    container.remove();
  });
});
