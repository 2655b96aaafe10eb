import { forbiddenAddress } from './addresses.js';
import { refuseLongGestures } from './gesture-limits.js';
import { RefusedCommand, type ClientCommand } from './messages.js';
import { refuseDroppedFiles } from './named-files.js';
import { refuseHugePictures } from './picture-limits.js';

/** Checks the parameters of a command. Throws {@link RefusedCommand}. */
type ParameterCheck = (command: ClientCommand, pixelRatio: number) => void;

/** Checks for methods that a program may call, but not with all parameters. */
const CHECKS: readonly ParameterCheck[] = [
  refuseForbiddenAddresses,
  refuseDroppedFiles,
  refuseLongGestures,
  refuseHugePictures,
];

/**
 * Refuses parameters that could harm the session. Throws {@link RefusedCommand}.
 *
 * @param pixelRatio pixels of the screen per CSS pixel
 */
export function checkParameters(command: ClientCommand, pixelRatio: number): void {
  for (const check of CHECKS) check(command, pixelRatio);
}

function refuseForbiddenAddresses({ method, params }: ClientCommand): void {
  if (forbiddenAddress(params) === undefined) return;
  throw new RefusedCommand('refused', `${method}: this address cannot be opened in a session.`);
}
