import { clickPageIsShown } from './click-probe.js';
import type { PageServer } from './page-server.js';
import { busyShare, machineTime } from './resources.js';
import { median, pause, until } from './statistics.js';
import { Service } from './targets/ours.js';
import { Viewer, withDirectory } from './viewer.js';

export interface StartResult {
  /** Milliseconds from the request to its answer. */
  created: number;
  /** Milliseconds from the request to the page's colour on the viewer's screen. */
  firstFrame: number;
}

/** The machine counts as idle when less than this share of it was busy for a second. */
const REST = 0.1;

/** Starts sessions one after the other on a running service, and watches each in a Chromium that runs already. */
export async function measureStarts(pages: PageServer, starts: number): Promise<StartResult> {
  const results: StartResult[] = [];
  await withDirectory(async (directory) => {
    const service = await Service.start(directory);
    try {
      for (let start = 0; start < starts; start++) results.push(await measureStart(pages, service));
    } finally {
      await service.stop();
    }
  });
  return {
    created: median(results.map(({ created }) => created)),
    firstFrame: median(results.map(({ firstFrame }) => firstFrame)),
  };
}

function measureStart(pages: PageServer, service: Service): Promise<StartResult> {
  return withDirectory(async (directory) => {
    const viewer = await Viewer.open(pages.address('launch'), directory);
    try {
      await until(() => Promise.resolve(pages.launchIsWaiting), 'The viewer does not start.');
      await machineRests();
      const requested = performance.now();
      const session = await service.createSession(pages.address('click'));
      const created = performance.now() - requested;
      pages.launch(session.embed_url);
      await until(() => clickPageIsShown(viewer.screen), 'The session does not show.');
      const firstFrame = performance.now() - requested;
      await service.endSession(session.session_id);
      return { created, firstFrame };
    } finally {
      await viewer.close();
    }
  });
}

/** Resolves when the machine is idle: the viewer has started, and the service has prepared itself for the next session. */
function machineRests(): Promise<void> {
  return until(async () => {
    const before = machineTime();
    await pause(1_000);
    return busyShare(before, machineTime()) < REST;
  }, 'The machine does not come to rest.');
}
