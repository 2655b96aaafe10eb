import type { MethodArgs } from 'cloud-browser/protocol';
import { forRole, viewerOf } from '../../room/calls/access.js';
import { dialogAnswerOf, wrong } from '../../room/calls/arguments.js';
import { CallError } from '../../room/calls/call-error.js';
import { WORK } from '../../room/calls/call-lane.js';
import type { MakeFeature } from '../feature.js';
import { DialogReporter } from './dialog-reporter.js';

/**
 * Sends viewers the dialog of the page in front, and lets them answer it. Chromium draws its own dialog
 * inside of its window, so on a narrow screen a part of the dialog is outside of the picture.
 */
export const dialogs: MakeFeature = ({ calls, users: { roster }, clock, onAct }) => {
  const reporter = new DialogReporter(roster, clock);
  calls.add(
    'answerDialog',
    { access: forRole('control'), check: answerOf, cost: WORK },
    async ([id, answer], caller) => {
      const viewer = viewerOf(caller);
      if (!roster.acts(viewer))
        throw new CallError(
          'err_forbidden',
          'Only a user who controls the browser may answer a dialog. Ask for control first.',
        );
      onAct(viewer);
      await reporter.answer(id, answer);
    },
  );
  return {
    browserStarted: (browser) => reporter.use(browser),
    browserIsGone: () => reporter.browserIsGone(),
    rightsChanged: () => reporter.refresh(),
    viewerJoined: () => reporter.refresh(),
    stop: () => reporter.close(),
  };
};

/** Checks the untrusted arguments of `answerDialog`. Throws {@link CallError}. */
function answerOf([id, answer]: readonly unknown[]): MethodArgs<'answerDialog'> {
  if (typeof id !== 'number' || !Number.isInteger(id))
    throw wrong('The first argument', 'the number of a dialog');
  return [id, dialogAnswerOf(answer)];
}
