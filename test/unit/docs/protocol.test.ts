import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  FILE_EVENTS,
  FILE_METHODS,
  type HostMessage,
  type InputEvent,
  isSessionEvent,
  isSessionMethod,
  type SessionEvent,
  type SessionMethod,
  type ViewerMessage,
} from '../../../src/protocol/index.js';
import { ROOT } from './test-titles.js';

const PAGE = readFileSync(join(ROOT, 'docs/protocol.md'), 'utf8');

type Listed = `${'tabs' | 'files' | 'computer'}.${string}`;

// In a record, the compiler checks that no name is missing.
const FROM_VIEWER: Record<ViewerMessage['type'], true> = {
  ...{ hello: true, 'second-hello': true, held: true, probe: true, ping: true, call: true, box: true },
  ...{ 'key-frame': true, visible: true, sound: true, focus: true, 'leave-pointer-lock': true },
  ...{ 'clipboard-offer': true, 'clipboard-ack': true, 'clipboard-refused': true },
};
const FROM_HOST: Record<HostMessage['type'], true> = {
  ...{ welcome: true, 'second-connection': true, screen: true, stream: true, cursor: true, pong: true },
  ...{ 'close-warning': true, notice: true, answer: true, event: true, privacy: true, agents: true },
  ...{ handoffs: true, dialog: true, recording: true, focus: true, 'pointer-lock': true },
  ...{ 'clipboard-offer': true, 'clipboard-ack': true, 'clipboard-refused': true },
};
const METHODS: Record<Exclude<SessionMethod, Listed>, true> = {
  ...{ subscribe: true, unsubscribe: true, resize: true, pinSize: true, screenshot: true, kick: true },
  ...{ 'clipboard.read': true, 'clipboard.fetch': true, 'clipboard.write': true, 'clipboard.drop': true },
  ...{ 'users.list': true, 'users.me': true, setPermissions: true, addRoles: true, removeRoles: true },
  ...{ 'control.request': true, 'control.give': true, 'control.take': true },
  ...{ enablePrivacyMode: true, disablePrivacyMode: true, 'accessibility.act': true },
  ...{ 'dialogs.list': true, 'dialogs.answer': true, answerDialog: true, finishHandoff: true },
  ...{ 'handoffs.request': true, 'handoffs.get': true, 'handoffs.withdraw': true },
};
const EVENTS: Record<Exclude<SessionEvent, Listed>, true> = {
  ...{ 'users.onJoined': true, 'users.onLeft': true, 'users.onChanged': true, 'users.onPointer': true },
  ...{ 'users.onPointerLeft': true, 'control.onRequested': true, 'clipboard.onCopied': true },
  ...{ 'accessibility.onUpdate': true, 'dialogs.onOpened': true, 'dialogs.onClosed': true },
};
const INPUT: Record<InputEvent['type'], true> = {
  ...{ move: true, button: true, wheel: true, key: true, text: true, composition: true, touch: true },
  ...{ release: true, ack: true, paste: true, relative: true },
};

/** First group of each match, once each. */
const found = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].sort();

/** First words of the headings below the heading of a chapter. */
function headings(chapter: string): string[] {
  const [, text = ''] = PAGE.split(`## Text messages, ${chapter}\n`);
  return found(text.replace(/\n## [\s\S]*/, ''), /^### ([\w-]+)/gm);
}

const EXAMPLES = found(PAGE, /"type":\s"([\w-]+)"/g);
/** All words that the page shows as code, without arguments. */
const WORDS = new Set(found(PAGE, /`([\w.<>-]+)`/g));

describe('the page about the protocol', () => {
  for (const [chapter, types] of [
    ['viewer to host', FROM_VIEWER],
    ['host to viewer', FROM_HOST],
  ] as const)
    it(`explains each message from ${chapter}`, () => {
      const explained = headings(chapter);
      assert.ok(explained.length > 5);
      assert.deepEqual(
        explained.filter((name) => !(name in types)),
        [],
      );
      assert.deepEqual(
        Object.keys(types).filter((name) => !explained.includes(name) && !EXAMPLES.includes(name)),
        [],
      );
    });

  it('has no message that does not exist', () => {
    assert.deepEqual(
      EXAMPLES.filter((name) => !(name in FROM_VIEWER || name in FROM_HOST)),
      [],
    );
  });

  it('explains exactly the input events', () => {
    assert.deepEqual(found(PAGE, /^\| \d+ `([\w-]+)`/gm), Object.keys(INPUT).sort());
  });

  it('names each method and each event of a session', () => {
    const files = [...FILE_METHODS, ...FILE_EVENTS].map((name) => [`files.${name}`, name]);
    const others = [...Object.keys(METHODS), ...Object.keys(EVENTS)].map((name) => [name]);
    // The page names some groups only as a whole.
    const groups = found(PAGE, /`(\w+\.)<\w+>`/g);
    assert.deepEqual(groups, ['computer.', 'handoffs.', 'tabs.']);
    assert.deepEqual(
      [...files, ...others].filter(
        (names) => !names.some((name) => WORDS.has(name) || groups.some((group) => name.startsWith(group))),
      ),
      [],
    );
  });

  it('names no method and no event that does not exist', () => {
    const names = found(PAGE, /`((?:users|control|clipboard|files|accessibility|dialogs|tabs)\.\w+)`/g);
    assert.deepEqual(
      names.filter((name) => !isSessionMethod(name) && !isSessionEvent(name)),
      [],
    );
  });
});
