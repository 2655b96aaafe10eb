import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodePacketHeader, type MediaPacket } from '../../../src/protocol/index.js';
import { parseOptions } from '../../bench/options.js';
import { momentsOf, packetsOf, stageMedians, type ClickMoments } from '../../bench/stages/moments.js';
import type { PageRecords } from '../../bench/stages/page-records.js';
import { stageTables } from '../../bench/stages/stage-table.js';

/** Start of the host's clock, in epoch milliseconds. */
const HOST_START = 1_000_000;
const WHOLE = { x: 0, y: 0, width: 1280, height: 720 };
const [LEFT, RIGHT] = [
  { ...WHOLE, width: 640 },
  { ...WHOLE, x: 640, width: 640 },
];
const WATCHED = [
  [40, 40],
  [1240, 680],
] as const;
const CLICK = { start: HOST_START + 500, shown: HOST_START + 530 };

/** A message with a packet. The times are milliseconds since the start of the host's clock. */
function message(captured: number, received: number, packet: Partial<MediaPacket>) {
  const header: Omit<MediaPacket, 'payload'> = {
    ...{ kind: 'video', keyFrame: false, refinement: false, stream: 1, frame: 7, inputSeq: 0, area: WHOLE },
    captureTime: (captured * 1_000) % 2 ** 32,
    ...packet,
  };
  return { at: HOST_START + received, start: [...encodePacketHeader(header)] };
}

/** Records of the click {@link CLICK}, whose frame has the number 7. */
function records(messages = [message(510, 516, {})]): PageRecords {
  return {
    presses: [300, 502, 900].map((at) => HOST_START + at),
    messages,
    decoded: [
      { at: HOST_START + 317, frame: 7 },
      { at: HOST_START + 518, frame: 7 },
    ],
    painted: [517, 521, 560].map((at) => HOST_START + at),
  };
}

const find = (all: PageRecords, click = CLICK) => momentsOf(click, all, packetsOf(all, HOST_START), WATCHED);

describe('the moments of a click', () => {
  const moments = { pressed: 2, captured: 10, received: 16, decoded: 18, painted: 21, shown: 30 };

  it('are those of its own press, packet, picture and painting', () => {
    assert.deepEqual(find(records()), moments);
  });

  it('are those of the packet after which all watched pixels have changed', () => {
    const parts = [
      message(505, 506, { frame: 5, area: { ...WHOLE, width: 0, height: 0 } }),
      message(506, 507, { frame: 6, area: LEFT }),
      message(510, 516, { area: RIGHT }),
      message(512, 517, { frame: 8 }),
    ];
    assert.deepEqual(find(records(parts)), moments);
    assert.equal(find(records(parts.slice(0, 2))), undefined);
  });

  it('leave out pictures from before the press, refinements, and other messages', () => {
    const others = [
      message(501, 503, { frame: 5 }),
      message(505, 506, { frame: 6, refinement: true }),
      { at: HOST_START + 507, start: [3, 0, 0, 0] },
      { at: HOST_START + 508, start: [5, ...message(505, 508, {}).start.slice(1)] },
    ];
    assert.deepEqual(find(records([...others, message(510, 516, {})])), moments);
    assert.equal(find(records(others)), undefined);
  });

  it('are unknown if the records lack one of them', () => {
    for (const missing of ['presses', 'messages', 'decoded', 'painted'])
      assert.equal(find({ ...records(), [missing]: [] }), undefined, missing);
    assert.equal(find(records(), { start: CLICK.start, shown: CLICK.start + 20 }), undefined);
  });

  it('are unknown if the host seems to read the picture after the page has received it', () => {
    assert.equal(find(records([message(519, 516, {})])), undefined);
  });

  it('are found after the time of capture has begun again at 0', () => {
    const wrap = 2 ** 32 / 1_000;
    const [packet] = packetsOf(records([message(wrap + 10, wrap + 16, {})]), HOST_START);
    assert.ok(packet);
    assert.ok(Math.abs(packet.received - packet.captured - 6) < 0.01);
  });
});

const clicks: ClickMoments[] = [
  { pressed: 1, captured: 11, received: 16, decoded: 18, painted: 19, shown: 23 },
  { pressed: 3, captured: 23, received: 32, decoded: 34, painted: 37, shown: 43 },
  { pressed: 2, captured: 14, received: 20, decoded: 21, painted: 23, shown: 25 },
];

describe('the stages of clicks', () => {
  it('have the medians of their durations', () => {
    const durations = { pressed: 2, captured: 12, received: 6, decoded: 2, painted: 2, shown: 4 };
    assert.deepEqual(stageMedians(clicks), durations);
  });

  it('are a table, with the whole click, the lost clicks, and the work of the host', () => {
    const figures = { title: 'stages', failures: [] };
    const none = { clicks: [], lost: 0 };
    const all = { solid: { clicks, lost: 1 }, panel: none, dark: { clicks, lost: 0 }, photograph: none };
    const work = { converting: 2.71, encoding: 3 };
    const hostWork = { solid: work, panel: work };
    const lines = stageTables({ ...figures, clicks: all, hostWork }).split('\n');
    assert.match(
      lines[2] ?? '',
      /^\| the viewer's Chromium gives the press .* \| 2\.0 \| failed \| 2\.0 \| failed \|$/,
    );
    assert.equal(lines[8], '| the whole click | 25.0 | failed | 25.0 | failed |');
    assert.equal(lines[9], '| clicks | 3 of 4 | 0 of 0 | 3 of 3 | 0 of 0 |');
    assert.match(lines[13] ?? '', /^\| converting .* \| 2\.7 \| 2\.7 \|$/);
    assert.equal(stageTables({ ...figures, clicks: all, hostWork: undefined }).split('\n').length, 10);
  });

  it('are measured if they are requested', () => {
    assert.equal(parseOptions(['--only', 'stages'])?.stages, true);
    assert.equal(parseOptions(['--only', 'changes'])?.stages, false);
  });
});
