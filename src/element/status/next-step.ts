import { DisconnectedError } from '../../core/index.js';
import type { NextStep } from './ending.js';
import { CloseRequestEvent, StartAgainEvent } from '../events.js';

/**
 * Runs the step that the user chose after the connection ended. The application can prevent `close` and
 * `start`.
 */
export function takeStep(
  element: HTMLElement & { connect(): Promise<void> },
  step: NextStep,
  failure: Error | undefined,
): void {
  const reason = failure instanceof DisconnectedError ? failure.reason : undefined;
  if (step === 'connect') void element.connect();
  else if (step === 'close') {
    if (element.dispatchEvent(new CloseRequestEvent(reason))) element.hidden = true;
  } else if (step === 'reload' || element.dispatchEvent(new StartAgainEvent(reason))) {
    location.reload();
  }
}
