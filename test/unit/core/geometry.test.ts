import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  clampToRemote,
  clientToRemote,
  FITS,
  insideRemote,
  pictureScale,
  placePicture,
  remoteToClient,
} from '../../../src/core/sizes/geometry.js';

const surface = { left: 10, top: 20, width: 800, height: 800 };
const remote = { width: 1600, height: 800 };

describe('geometry', () => {
  it('letterboxes a picture with fit contain', () => {
    assert.deepEqual(placePicture(surface, remote, 'contain'), {
      left: 10,
      top: 220,
      width: 800,
      height: 400,
    });
  });

  it('crops a picture with fit cover', () => {
    assert.deepEqual(placePicture(surface, remote, 'cover'), {
      left: -390,
      top: 20,
      width: 1600,
      height: 800,
    });
  });

  it('stretches a picture with fit fill by two scales', () => {
    assert.deepEqual(placePicture(surface, remote, 'fill'), surface);
    assert.deepEqual(pictureScale(surface, remote, 'fill'), { x: 0.5, y: 1 });
  });

  it('keeps the pixels of a picture without fit', () => {
    assert.deepEqual(placePicture(surface, remote, 'none'), {
      left: -390,
      top: 20,
      width: 1600,
      height: 800,
    });
  });

  it('returns the remote pixel under a client position', () => {
    assert.deepEqual(clientToRemote({ x: 10, y: 220 }, surface, remote, 'contain'), { x: 0, y: 0 });
    assert.deepEqual(clientToRemote({ x: 410, y: 420 }, surface, remote, 'contain'), { x: 800, y: 400 });
  });

  it('distinguishes positions in the letterbox and in the picture', () => {
    const beside = clientToRemote({ x: 400, y: 100 }, surface, remote, 'contain');
    assert.ok(beside && !insideRemote(beside, remote));
    assert.deepEqual(clampToRemote(beside, remote), { x: 780, y: 0 });
  });

  it('clamps to the last pixel, not to the size', () => {
    assert.deepEqual(clampToRemote({ x: 1600, y: 5000 }, remote), { x: 1599, y: 799 });
    assert.deepEqual(clampToRemote({ x: 3.9, y: -0.1 }, remote), { x: 3, y: 0 });
  });

  it('maps each pixel of an unscaled picture to itself', () => {
    const phone = { width: 390, height: 844 };
    const frame = { left: 0, top: 0, ...phone };
    for (let x = 0; x < phone.width; x++) {
      const point = clientToRemote({ x, y: 100 }, frame, phone, 'contain');
      assert.deepEqual(point && clampToRemote(point, phone), { x, y: 100 });
    }
  });

  it('maps to remote pixels and back for every fit', () => {
    for (const fit of FITS) {
      const client = { x: 333, y: 444 };
      const point = clientToRemote(client, surface, remote, fit);
      assert.ok(point);
      const back = remoteToClient(point, surface, remote, fit);
      assert.ok(Math.abs(back.x - client.x) < 1e-9 && Math.abs(back.y - client.y) < 1e-9, fit);
    }
  });

  it('returns no remote pixel while the surface has no size', () => {
    assert.equal(
      clientToRemote({ x: 0, y: 0 }, { left: 0, top: 0, width: 0, height: 0 }, remote, 'contain'),
      undefined,
    );
  });
});
