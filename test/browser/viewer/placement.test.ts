import { Placement } from '../../../src/viewer/placement.js';
import { equal } from '../support/assert.js';

const WIDTH = 161;
const HEIGHT = 121;

describe('the placement of a picture that is twice as wide and three times as high on the page', () => {
  let container: HTMLElement;
  let placement: Placement;

  beforeEach(() => {
    container = document.createElement('div');
    Object.assign(container.style, { position: 'fixed', inset: '0 auto auto 0', width: `${WIDTH * 2}px` });
    container.style.height = `${HEIGHT * 3}px`;
    document.body.append(container);
    placement = new Placement(container.appendChild(document.createElement('canvas')), 'contain');
  });
  afterEach(() => container.remove());

  it('finds no remote pixel before there is a picture', () => {
    equal([placement.toRemote(10, 10), placement.nearestRemote(10, 10)], [undefined, undefined]);
  });

  it('finds the remote pixel under a position for every fit', () => {
    placement.size = { width: WIDTH, height: HEIGHT };
    equal(placement.toRemote(0, 0), undefined, 'in the letterbox');
    equal(placement.toRemote(0, HEIGHT / 2), { x: 0, y: 0 });
    equal(placement.toRemote(WIDTH * 2 - 1, HEIGHT * 2.5 - 1), { x: WIDTH - 1, y: HEIGHT - 1 });
    placement.fit = 'fill';
    equal(placement.toRemote(20, 30), { x: 10, y: 10 });
    placement.fit = 'none';
    equal(placement.toRemote(WIDTH / 2 + 7, HEIGHT + 9), { x: 7, y: 9 });
  });

  it('finds the nearest remote pixel beside the picture', () => {
    placement.size = { width: WIDTH, height: HEIGHT };
    equal(placement.nearestRemote(20, 0), { x: 10, y: 0 });
    placement.fit = 'fill';
    equal(placement.nearestRemote(-500, 90), { x: 0, y: 30 });
    equal(placement.nearestRemote(5000, 5000), { x: WIDTH - 1, y: HEIGHT - 1 });
  });
});
