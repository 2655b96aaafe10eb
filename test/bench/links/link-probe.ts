import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { clickTimes } from '../click-probe.js';
import { bytesSent } from '../resources.js';
import { measureScrolling, scrollPageIsShown } from '../scroll-probe.js';
import type { Screen } from '../screen.js';
import { pause } from '../statistics.js';
import type { RunningTarget, Target } from '../targets/target.js';
import { Viewer, withDirectory } from '../viewer.js';
import { Link, SERVER_ADDRESS } from './link.js';
import type { LinkResult } from './link-table.js';
import { SecondViewer } from './second-viewer.js';
import { countersSince, tcpCounters } from './tcp-counters.js';

/** A target, and how it is used over the link. */
export interface LinkTarget extends Target {
  /** True if another viewer watches the session over a link of its own, with the same properties. */
  hasSecondViewer?: boolean;
}

/** Time for a target to become steady after its first picture. */
const SETTLE_MS = 3_000;

/** Shows a page over the link. The viewer treats the address as secure, because WebCodecs requires it. */
function shownOver<T>(
  link: Link,
  target: LinkTarget,
  { link: spec, congestion }: Pick<LinkResult, 'link' | 'congestion'>,
  page: string,
  body: (screen: Screen, running: RunningTarget) => Promise<T>,
): Promise<T> {
  return withDirectory(async (directory) => {
    const [server, client] = [join(directory, 'server'), join(directory, 'client')];
    await Promise.all([mkdir(server), mkdir(client)]);
    const running = await target.start(page, server, SERVER_ADDRESS);
    let second: SecondViewer | undefined;
    try {
      const secure = `--unsafely-treat-insecure-origin-as-secure=http://${SERVER_ADDRESS}:${running.port ?? 0}`;
      const place = { networkOf: link.viewerSide, flags: [secure] };
      const viewer = await Viewer.open(running.viewerAddress, client, place);
      try {
        if (target.hasSecondViewer)
          second = await SecondViewer.start(running.viewerAddress, spec, congestion);
        return await body(viewer.screen, running);
      } finally {
        await viewer.close();
      }
    } finally {
      await second?.stop();
      await running.stop();
    }
  });
}

/** Measures a target once and adds the figures to its result. */
export async function measureLink(
  target: LinkTarget,
  result: LinkResult,
  pages: { click: string; scroll: string },
  { clicks, seconds }: { clicks: number; seconds: number },
): Promise<void> {
  const link = await Link.start(result.link);
  try {
    link.useCongestionControl(result.congestion);
    await shownOver(link, target, result, pages.click, async (screen, running) => {
      await pause(SETTLE_MS);
      const sides = () => [tcpCounters('self'), tcpCounters(link.viewerSide)];
      const [before, bytesBefore] = [sides(), await bytesSent(running.port ?? 0)];
      const { times, lost } = await clickTimes(screen, clicks, async () => {
        result.kilobytesBefore.push((await link.traffic()).recent / 1000);
      });
      result.clicks.push(...times);
      result.lostClicks += lost;
      result.recoveries.push(countersSince(before, sides()));
      const bytes = (await bytesSent(running.port ?? 0)) - bytesBefore;
      result.kilobytesPerClick.push(bytes / 1000 / clicks);
    });
    if (seconds === 0) return;
    await shownOver(link, target, result, pages.scroll, async (screen, running) => {
      await scrollPageIsShown(screen);
      await pause(SETTLE_MS);
      const scrolling = await measureScrolling(screen, running, seconds);
      result.framesPerSecond.push(scrolling.framesPerSecond);
      result.longestGap.push(scrolling.longestGap);
      result.megabits.push(scrolling.megabits);
    });
  } finally {
    await link.stop();
  }
}
