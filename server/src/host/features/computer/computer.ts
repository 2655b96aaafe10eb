import { forAll } from '../../room/calls/access.js';
import { inPrivacyMode } from '../../room/calls/call-error.js';
import { canSee, canUse } from '../../room/users/can-use.js';
import type { MakeFeature } from '../feature.js';
import { fieldsOf, screenshotOf } from './computer-arguments.js';
import { PageReading } from './page/page-reading.js';
import { MAX_BYTES, PICTURE, ProgramCalls } from './program-calls.js';
import { Screenshots } from './screenshots.js';

/** Screenshots for viewers and the service, and `computer.*` for programs in sessions with `automation`. */
export const computer: MakeFeature = (parts) => {
  const { calls, users, streams, clock, session } = parts;
  const screenshots = new Screenshots(clock);
  const reading = new PageReading(clock);
  calls.add(
    'screenshot',
    { access: forAll, check: (args) => [screenshotOf(fieldsOf(args))], cost: PICTURE },
    ([options], { viewer, leaving }) => {
      const mayStillSee = () => {
        leaving?.throwIfAborted();
        const shutOut = viewer ? !canSee(viewer) : users.control.alone !== undefined;
        if (shutOut) throw inPrivacyMode();
      };
      const seesMasked = () => viewer !== undefined && canUse(viewer, 'field_masking');
      const maxBytes = viewer ? MAX_BYTES.viewer : MAX_BYTES.service;
      return screenshots.take({
        options: screenshotOf({ ...options }),
        ...{ caller: viewer?.user, seesMasked, mayStillSee, maxBytes },
      });
    },
  );
  const programs = session.automation && new ProgramCalls(parts, session.automation, screenshots, reading);
  return {
    browserStarted: (browser) => {
      screenshots.use({
        openCamera: () => browser.openCamera(),
        maskedAreas: () => browser.maskedAreas(),
        size: () => streams.size,
      });
      reading.use(browser);
      programs?.use(browser);
    },
    browserIsGone: () => {
      screenshots.browserIsGone();
      reading.browserIsGone();
    },
    stop: () => {
      screenshots.close();
      reading.close();
      programs?.close();
    },
  };
};
