import { Holder } from '../../server/src/host/features/files/file-access.js';
import type { User } from '../../server/src/host/room/users/known-users.js';
import type { Viewer } from '../../server/src/host/room/viewers/viewer.js';
import type { ManualClock } from './manual-clock.js';

/** A user's connection, as far as files are concerned. */
export interface FakeViewer {
  userId: string;
  user: Pick<User, 'id'>;
  rights: { permissions: { control_disabled: boolean }; roles: Set<string>; tied: Set<string> };
  shutOut: boolean;
  sentAway: boolean;
  admin: boolean;
}

/** The users of a session who may have files, until a test says otherwise. */
export class FakePeople {
  readonly here = new Map<string, FakeViewer>();

  constructor(private readonly clock: ManualClock) {}

  enter(id: string, roles: string[]): FakeViewer {
    const rights = {
      permissions: { control_disabled: false },
      roles: new Set(roles),
      tied: new Set<string>(),
    };
    const viewer = { userId: id, user: { id }, rights, shutOut: false, sentAway: false, admin: false };
    this.here.set(id, viewer);
    return viewer;
  }

  /** Returns the owner of an upload or a download. */
  holder(viewer: FakeViewer, role: 'file_upload' | 'file_download'): Holder {
    const people = { viewer: (id: string) => this.here.get(id) as unknown as Viewer | undefined };
    return new Holder(
      viewer as unknown as Viewer,
      role,
      () => false,
      () => people,
      this.clock,
    );
  }
}
