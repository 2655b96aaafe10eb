import { proveSandboxAt } from './host/startup-proof.js';
import type { Places } from './pool/places.js';

/** Proves in a place of its own that hosted pages are confined on this machine. Rejects with `UnsafeBrowserError`. */
export async function proveSandbox(places: Places): Promise<void> {
  const place = await places.take();
  if (!place) return;
  try {
    await proveSandboxAt(place);
  } finally {
    await places.release(place);
  }
}
