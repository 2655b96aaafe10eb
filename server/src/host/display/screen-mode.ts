import type { RandrExtension, RandrMode, RandrResources } from 'x11';
import type { DisplayMode } from './modes.js';
import { connectDisplay, request } from './x-client.js';
import type { DisplayAddress } from './x-server.js';

const ROTATE_0 = 1;
const NO_MODE = 0;
/** As a screen of 96 dots to the inch. */
const MILLIMETRES_PER_PIXEL = 25.4 / 96;

/**
 * Gives a running display another size and refresh rate, exact ones, by RandR 1.2. Takes about 10 ms, a tenth of what a
 * server takes to start. Rejects when the server refuses.
 */
export async function setScreenMode(address: DisplayAddress, mode: DisplayMode): Promise<void> {
  const connection = await connectDisplay(address);
  try {
    const { x, root } = connection;
    const randr = await request<RandrExtension>((reply) => x.require('randr', reply));
    const resources = await request<RandrResources>((reply) => randr.GetScreenResourcesCurrent(root, reply));
    const [crtc = 0] = resources.crtcs;
    const [output = 0] = resources.outputs;
    const configure = async (id: number, outputs: number[]) => {
      const { status } = await request<{ status: number }>((reply) =>
        randr.SetCrtcConfig(crtc, 0, 0, 0, 0, id, ROTATE_0, outputs, reply),
      );
      if (status !== 0) throw new Error(`The display refused the mode ${mode.name} (${status}).`);
    };
    const id = await request<number>((reply) => randr.CreateMode(root, modeInfo(mode), reply));
    randr.AddOutputMode(output, id);
    // The screen must never be smaller than what is shown on it, so nothing is while its size changes.
    await configure(NO_MODE, []);
    const [width, height] = [mode.width, mode.height];
    const millimetres = (pixels: number) => Math.round(pixels * MILLIMETRES_PER_PIXEL);
    randr.SetScreenSize(root, width, height, millimetres(width), millimetres(height));
    await configure(id, [output]);
  } finally {
    connection.close();
  }
}

function modeInfo(mode: DisplayMode): RandrMode {
  return {
    name: mode.name,
    width: mode.width,
    height: mode.height,
    dot_clock: mode.dotClock * 1000,
    h_sync_start: mode.hSyncStart,
    h_sync_end: mode.hSyncEnd,
    h_total: mode.hTotal,
    v_sync_start: mode.vSyncStart,
    v_sync_end: mode.vSyncEnd,
    v_total: mode.vTotal,
  };
}
