import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { playlistOf, TARGET_SECONDS } from '../../../server/src/sessions/recordings/playlist.js';
import { MIN_SEGMENT_SECONDS } from '../../../server/src/sessions/recordings/live-segments.js';
import type { RecordedFragment } from '../../../server/src/sessions/recordings/recording-record.js';
import { API_KEY, createTestService } from '../../fakes/test-service.js';
import { FakeRecordedSession, RECORD_ALL } from '../../fakes/recording-parts.js';
import { recordingsFixture, until } from '../../support/recordings-fixture.js';

const newRecordings = recordingsFixture();
const VIDEO = { init: 50, video: 'video.mp4' };

function playlist(fragments: readonly RecordedFragment[], complete: boolean): string {
  return playlistOf({ init: VIDEO.init, fragments }, { complete, video: VIDEO.video });
}

/** Returns fragments of two seconds and ten bytes. True stands for one that starts with a key frame. */
function fragmentsOf(...keyFrames: boolean[]): RecordedFragment[] {
  return keyFrames.map((keyFrame, n) => ({
    ...{ time: n * 2, duration: 2, offset: VIDEO.init + n * 10, size: 10, keyFrame },
  }));
}

const segments = (text: string) =>
  [...text.matchAll(/#EXTINF:(.+),\n#EXT-X-BYTERANGE:(.+)\nvideo\.mp4\n/g)].map(([, ...found]) => found);

describe('a playlist of a finished recording', () => {
  it('has a segment from each key frame to the next, and one to the end', () => {
    const text = playlist(fragmentsOf(true, false, true), true);
    assert.match(text, /#EXT-X-MAP:URI="video.mp4",BYTERANGE="50@0"\n/);
    assert.deepEqual(segments(text), [
      ['4.000', '20@50'],
      ['2.000', '10@70'],
    ]);
    assert.match(text, /#EXT-X-ENDLIST\n$/);
  });
});

describe('a playlist of a running recording', () => {
  it('lists no segment that may still grow', () => {
    const running = playlist(fragmentsOf(true, false, true, false), false);
    assert.deepEqual(segments(running), [['4.000', '20@50']]);
    assert.doesNotMatch(running, /ENDLIST/);
    assert.deepEqual(segments(playlist(fragmentsOf(true, false), false)), []);
    assert.deepEqual(segments(playlist([], false)), []);
  });

  it('only gets more segments when it is loaded again, also at the end', () => {
    const all = fragmentsOf(true, false, true, false, false, true, true, false);
    const lists = [...all.keys()].map((count) => segments(playlist(all.slice(0, count), false)));
    lists.push(segments(playlist(all, true)));
    for (const [n, list] of lists.entries())
      assert.deepEqual(list.slice(0, lists[n - 1]?.length ?? 0), lists[n - 1] ?? []);
    assert.equal(lists.at(-1)?.length, 4);
  });

  it('has a target duration that never changes and that no segment exceeds', () => {
    const [first, ...rest] = fragmentsOf(true, true, false, true);
    assert.ok(first);
    const long = rest.map((fragment) => ({
      ...fragment,
      ...{ time: fragment.time + TARGET_SECONDS - 2, duration: fragment.keyFrame ? 2 : 4.4 },
    }));
    const target = `#EXT-X-TARGETDURATION:${TARGET_SECONDS}\n`;
    const all = [first, { ...first, time: 2, duration: TARGET_SECONDS - 2, keyFrame: false }, ...long];
    for (let count = 0; count <= all.length; count++)
      assert.ok(playlist(all.slice(0, count), false).includes(target), `${count} fragments`);
    assert.ok(playlist(all, true).includes(target));
    // The host was stopped for a while.
    const stopped = [{ ...first, duration: TARGET_SECONDS + 1.2 }, ...long];
    assert.ok(playlist(stopped, true).includes(`#EXT-X-TARGETDURATION:${TARGET_SECONDS + 2}\n`));
  });
});

describe('a request for the playlist of a running recording', () => {
  async function setUp() {
    const { recordings } = await newRecordings();
    const session = new FakeRecordedSession('one');
    const { id } = await recordings.start(session, RECORD_ALL);
    await session.init();
    const request = () => {
      const state = { isAnswered: false };
      const answered = recordings.segmented(id).then(() => (state.isAnswered = true));
      return { state, answered };
    };
    return { recordings, session, id, request };
  }

  it('ends the first segment at once, and waits for its end', async () => {
    const { recordings, session, id, request } = await setUp();
    const { state, answered } = request();
    assert.deepEqual(session.keyFrameRequests, []);
    await session.fragment(0, 100, true);
    assert.deepEqual(session.keyFrameRequests, [session.orders[0]?.number]);
    await session.fragment(2);
    assert.equal(session.keyFrameRequests.length, 1, 'a request is under way');
    assert.equal(state.isAnswered, false);
    await session.fragment(4, 100, true);
    await answered;
    assert.equal((await recordings.files.fragments(id)).fragments.length, 3);
    await session.end();
    await recordings.close();
  });

  it('is answered with the segment that has ended', async () => {
    const { recordings, session, id } = await setUp();
    const service = await createTestService({ recordings });
    await session.fragment(0, 100, true);
    const authorization = `Bearer ${API_KEY}`;
    const answer = service.app.inject({ url: `/v0/recordings/${id}/index.m3u8`, headers: { authorization } });
    await until('a key frame is requested', () => session.keyFrameRequests.length > 0);
    await session.fragment(2, 100, true);
    assert.deepEqual(segments((await answer).body), [['2.000', '100@50']]);
    await session.end();
    await service.close();
  });

  it('ends a later segment when it has its least duration', async () => {
    const { recordings, session, request } = await setUp();
    await session.fragment(0, 100, true);
    await session.fragment(2, 100, true);
    const requests = [request(), request()];
    let time = 4;
    for (; time < 2 + MIN_SEGMENT_SECONDS; time += 2) {
      assert.equal(session.keyFrameRequests.length, 0, `${time} s`);
      await session.fragment(time);
    }
    assert.equal(session.keyFrameRequests.length, 1);
    assert.deepEqual(
      requests.map(({ state }) => state.isAnswered),
      [false, false],
    );
    await session.fragment(time, 100, true);
    await Promise.all(requests.map(({ answered }) => answered));
    for (let n = 1; n <= MIN_SEGMENT_SECONDS; n++) await session.fragment(time + 2 * n);
    assert.equal(session.keyFrameRequests.length, 1, 'without a further request, segments end by themselves');
    await session.end();
    await recordings.close();
  });

  it('does not wait after the end of the recording', async () => {
    const { recordings, session, id, request } = await setUp();
    await session.fragment(0, 100, true);
    const { answered } = request();
    await session.end();
    await answered;
    await recordings.segmented(id);
    await recordings.close();
    await recordings.segmented(id);
    await recordings.segmented('unknown');
  });
});
