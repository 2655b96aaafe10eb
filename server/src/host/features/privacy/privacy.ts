import { forAll, viewerOf } from '../../room/calls/access.js';
import { noArguments } from '../../room/calls/arguments.js';
import { WORK } from '../../room/calls/call-lane.js';
import type { MakeFeature } from '../feature.js';
import { PrivacyMode } from './privacy-mode.js';

/** Privacy mode: `enablePrivacyMode` and `disablePrivacyMode`. */
export const privacy: MakeFeature = ({ session, calls, users, devices, reveal, clock }) => {
  const { privacyTimeout } = session;
  const limit = privacyTimeout === null ? null : privacyTimeout * 1000;
  const mode = new PrivacyMode(users.roster, limit, reveal, clock);
  let { clipboard } = devices;
  let owner: string | undefined;
  const followOwner = () => {
    if (mode.owner === owner) return;
    if (owner !== undefined) clipboard.endPrivacy();
    owner = mode.owner;
    if (owner !== undefined) clipboard.beginPrivacy();
  };
  const rules = { access: forAll, check: noArguments, cost: WORK };
  calls.add('enablePrivacyMode', rules, (_args, caller) => mode.enable(viewerOf(caller), caller.admin));
  calls.add('disablePrivacyMode', rules, (_args, { viewer, admin }) => mode.disable(viewer, admin));
  return {
    viewerJoined: (viewer) => mode.greet(viewer),
    viewerLeft: ({ userId }, { userIsGone, meant }) => {
      if (userIsGone) mode.left(userId, meant);
    },
    useDevices: (next) => {
      clipboard = next.clipboard;
      if (owner !== undefined) clipboard.beginPrivacy();
    },
    rightsChanged: () => {
      mode.check();
      followOwner();
    },
    controlIsGiven: (userId) => {
      // The user who gets control must be able to use the browser.
      if (mode.owner !== userId) mode.end();
    },
    roomCloses: () => mode.close(),
  };
};
