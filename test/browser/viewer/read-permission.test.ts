import { ReadPermission } from '../../../src/viewer/clipboard/local-clipboard.js';
import { equal } from '../support/assert.js';

it('all viewers of a page share one object of the permission to read the clipboard', async () => {
  const { permissions } = navigator;
  const query = permissions.query.bind(permissions);
  const answers: Promise<PermissionStatus>[] = [];
  permissions.query = (descriptor) => {
    const answer = query(descriptor);
    answers.push(answer);
    return answer;
  };
  try {
    const all = [new ReadPermission(), new ReadPermission(), new ReadPermission()];
    equal([answers.length, all[0]?.state], [1, 'unknown']);
    const status = await answers[0];
    equal(
      [...all, new ReadPermission()].map(({ state }) => state === status?.state),
      [true, true, true, true],
    );
    equal(answers.length, 1);
  } finally {
    permissions.query = query;
  }
});
