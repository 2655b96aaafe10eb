import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Hello } from 'cloud-browser/protocol';
import type { Feature, FeatureBrowser, FeatureParts } from '../../../../server/src/host/features/feature.js';
import { pointerLock } from '../../../../server/src/host/features/pointer-lock/pointer-lock.js';
import type { Viewer } from '../../../../server/src/host/room/viewers/viewer.js';

const HELLO = {} as Hello;

let controlling: Set<string>;
let told: string[];
let feature: Feature;
/** Reports that a page has locked or released the pointer. */
let lock: (locked: boolean) => void;

beforeEach(() => {
  controlling = new Set(['ada']);
  told = [];
  const watch: { onChange?: (locked: boolean) => void } = {};
  const pages = { pointerLock: watch };
  const devices = { sink: { locked: false }, pages };
  const roster = { controls: (id: string) => controlling.has(id) };
  feature = pointerLock({ devices, users: { roster } } as unknown as FeatureParts);
  feature.browserStarted?.({ devices } as unknown as FeatureBrowser);
  lock = (locked) => watch.onChange?.(locked);
  for (const viewer of ['ada', 'ben'].map(viewerOf)) feature.viewerJoined?.(viewer, HELLO);
});

function viewerOf(userId: string): Viewer {
  const send = ({ locked }: { locked: boolean }) => told.push(`${userId} ${locked ? 'locked' : 'free'}`);
  return { userId, send } as unknown as Viewer;
}

describe('the pointer lock of a page', () => {
  it('moves to the user who gets control', () => {
    lock(true);
    assert.deepEqual(told, ['ada locked']);
    controlling = new Set(['ben']);
    feature.usersChanged?.();
    assert.deepEqual(told, ['ada locked', 'ada free', 'ben locked']);
    lock(false);
    assert.deepEqual(told.slice(3), ['ben free']);
  });

  it('is reported once to users who keep control', () => {
    lock(true);
    controlling.add('ben');
    feature.usersChanged?.();
    feature.usersChanged?.();
    assert.deepEqual(told, ['ada locked', 'ben locked']);
  });

  it('is reported to a user who joins and has control, but not before the welcome', () => {
    lock(true);
    controlling.add('eve');
    feature.usersChanged?.();
    assert.deepEqual(told, ['ada locked']);
    feature.viewerJoined?.(viewerOf('eve'), HELLO);
    assert.deepEqual(told, ['ada locked', 'eve locked']);
  });
});
