import { EventEmitter } from 'eventemitter3';
import { CloudBrowserClient } from '../../../src/core/index.js';
import type { RemoteField } from '../../../src/protocol/index.js';
import { KeyboardFollower } from '../../../src/viewer/controls/keyboard-follower.js';
import { Placement } from '../../../src/viewer/picture/placement.js';
import { FakeHost } from '../../fakes/fake-host.js';
import { ManualTimers } from '../../fakes/manual-timers.js';
import { equal } from '../support/assert.js';

const FIELD: RemoteField = {
  ...{ id: 1, place: 'page', inputMode: 'text', enterKeyHint: 'enter', capitals: 'none' },
  ...{ autocomplete: '', password: false, multiline: false, rectangle: null, caret: null },
};

/** A phone's keyboard that records the fields for which it opens. */
class FakeKeyboard extends EventEmitter<{ open: [open: boolean] }> {
  readonly ids: (number | undefined)[] = [];
  readonly open = false;
  set remote(field: RemoteField | undefined) {
    if (field?.id !== this.ids.at(-1) || this.ids.length === 0) this.ids.push(field?.id);
  }
  place(): void {
    return undefined;
  }
}

describe('a phone’s keyboard, when the connection is lost,', () => {
  let host: FakeHost;
  let timers: ManualTimers;
  let client: CloudBrowserClient;
  let keyboard: FakeKeyboard;
  let follower: KeyboardFollower;
  let container: HTMLElement;

  beforeEach(async () => {
    [host, timers, keyboard] = [new FakeHost(), new ManualTimers(), new FakeKeyboard()];
    container = document.body.appendChild(document.createElement('div'));
    const canvas = container.appendChild(document.createElement('canvas'));
    const placement = new Placement(canvas, 'contain', container);
    const { createSocket } = host;
    client = new CloudBrowserClient({
      ...{ embedUrl: 'https://host.example/a', media: ['image'], createSocket, timers },
    });
    follower = new KeyboardFollower(client, keyboard, container, placement, new EventEmitter(), timers);
    const connected = client.connect();
    host.last.welcome();
    await connected;
    host.last.send({ type: 'focus', field: FIELD });
    equal(keyboard.ids, [undefined, 1]);
    host.last.close();
  });

  afterEach(() => {
    follower.close();
    client.disconnect();
    container.remove();
  });

  function reconnect(): void {
    timers.advance(0);
    host.last.welcome();
    equal(client.state, 'playing');
  }

  it('stays open for a field that still has the focus after that', () => {
    reconnect();
    host.last.send({ type: 'focus', field: null });
    host.last.send({ type: 'focus', field: { ...FIELD, caret: [1, 1, 0, 9] } });
    timers.advance(3_000);
    equal(keyboard.ids, [undefined, 1]);
    host.last.send({ type: 'focus', field: null });
    equal(keyboard.ids, [undefined, 1, undefined]);
  });

  it('closes if the session reports no field after that', () => {
    reconnect();
    equal(keyboard.ids, [undefined, 1]);
    timers.advance(2_000);
    equal(keyboard.ids, [undefined, 1, undefined]);
  });

  it('closes if the client gives up', () => {
    client.disconnect();
    equal(keyboard.ids, [undefined, 1, undefined]);
  });
});
