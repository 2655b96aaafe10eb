import { sendMouse } from '@web/test-runner-commands';
import { SoundOutput } from '../../../src/media/index.js';
import { SoundPlayer } from '../../../src/media/sound/sound-player.js';
import { equal } from '../support/assert.js';
import { tone } from '../support/tone.js';

describe('a sound player on a page that nobody has touched', () => {
  it('reports that it is blocked when sound arrives, and plays after the first gesture', async () => {
    const told: boolean[] = [];
    let playing: () => void = () => undefined;
    const played = new Promise<void>((resolve) => (playing = resolve));
    const output = new SoundOutput().on('blocked', (blocked) => {
      told.push(blocked);
      if (!blocked) playing();
    });
    const player = new SoundPlayer(output);
    equal([output.blocked, told], [false, []]);
    const packets = await tone(3);
    for (const packet of packets) player.push(packet);
    equal([output.blocked, told], [true, [true]]);
    output.unblock();
    for (const packet of packets) player.push(packet);
    equal(told, [true]);
    await sendMouse({ type: 'click', position: [1, 1] });
    await played;
    equal([output.blocked, told], [false, [true, false]]);
    player.close();
    output.close();
  });
});
