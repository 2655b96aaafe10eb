import { CallError, type CallOptions } from '../core/index.js';
import type { Viewer } from '../viewer/index.js';
import type { FromEmbed } from './messages.js';

const MIME = 'image/png';

type Screenshot = Extract<FromEmbed, { type: 'screenshot' }>;

/** A tab with the size of its page, as the browser reports it. Pixels. */
interface ShownTab {
  tabId: number;
  width?: number | undefined;
  height?: number | undefined;
}

/**
 * Takes a picture of a tab's page, for the call `screenshot({tabId})` of clients up to version 0.0.37. Only
 * the active tab is visible, so other tabs are refused. Without `tabId` the picture shows the whole screen.
 * Rejects with a `CallError` if there is no picture, or if the session refuses.
 */
export async function takeScreenshot(
  viewer: Viewer,
  asked: unknown,
  options: CallOptions,
): Promise<Screenshot> {
  const { tabId } = (asked ?? {}) as { tabId?: unknown };
  if (tabId === undefined || tabId === null) return screenshotOf(viewer);
  if (typeof tabId !== 'number')
    throw new CallError('err_invalid_parameter', 'tabId must be the id of a tab from tabs.query.');
  const { active, width, height } = await viewer.client.remote.call('tabs.get', [tabId], options);
  if (!active) {
    const remedy = `call tabs.update(${tabId}, {active: true}) before.`;
    throw new CallError('err_call_failed', `Tab ${tabId} is not the active tab. ${remedy}`);
  }
  return screenshotOf(viewer, { tabId, width, height });
}

async function screenshotOf(viewer: Viewer, tab?: ShownTab): Promise<Screenshot> {
  const { canvas } = viewer;
  if (viewer.client.shutOutBy !== undefined)
    throw new CallError('err_forbidden', 'Another user is in privacy mode. Wait until privacy mode ends.');
  if (viewer.videoPaused || viewer.stats().width === 0)
    throw new CallError(
      'err_call_failed',
      'There is no picture yet: the video is paused or has not started.',
    );
  // The page is at the bottom of the screen. Chromium's toolbars are above it.
  const { pixelRatio } = viewer.client;
  const isAsWide = tab?.width !== undefined && Math.floor(tab.width * pixelRatio) === canvas.width;
  const page = isAsWide && tab.height !== undefined ? Math.floor(tab.height * pixelRatio) : canvas.height;
  const height = Math.min(page, canvas.height);
  const copy = new OffscreenCanvas(canvas.width, height);
  copy.getContext('2d')?.drawImage(canvas, 0, height - canvas.height);
  const buf = await (await copy.convertToBlob({ type: MIME })).arrayBuffer();
  return { type: 'screenshot', data: { mime: MIME, buf, ...(tab && { tabId: tab.tabId }) } };
}
