import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { PageChooser } from '../../../../server/src/host/browser/files/choosers.js';
import { FileQuota } from '../../../../server/src/host/features/files/file-quota.js';
import { AgentFiles } from '../../../../server/src/host/features/files/uploads/agent-files.js';
import { Uploads } from '../../../../server/src/host/features/files/uploads/uploads.js';
import { CallError } from '../../../../server/src/host/room/calls/call-error.js';
import type { ActingAgent } from '../../../../server/src/host/room/calls/access.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { PassingTime } from '../../../fakes/passing-time.js';

const PRESS = { type: 'button', seq: 1, modifiers: 0, x: 1, y: 1, button: 0, pressed: false } as const;

it('a program that loses its role while a file is copied for it gives no file to a page', async () => {
  const roles = new Set(['file_upload', 'file_download']);
  const agent = {
    ...{ id: 'agent', canRead: true, admin: false, shutOut: false },
    rights: { permissions: { control_disabled: false }, roles, tied: new Set() },
    perform: <T>(command: () => Promise<T>) => command(),
  } as unknown as ActingAgent['agent'];
  let isCopied: (path: string) => void = () => undefined;
  const copies = { pathOf: () => new Promise<string>((resolve) => (isCopied = resolve)) };
  const clock = new ManualClock();
  const quota = new FileQuota({ perFile: 1, perSession: 1 });
  const uploads = new Uploads('/nowhere', '/inside', quota, clock, () => Promise.resolve());
  let hasMaskRole = true;
  const checkPrint = () => {
    if (!hasMaskRole) throw new CallError('err_forbidden', 'This needs the role field_masking.');
  };
  const files = new AgentFiles(uploads, copies, () => agent, clock, checkPrint);
  const never = new Promise<void>(() => undefined);
  const given: (readonly string[])[] = [];
  const chooser = {
    ...{ page: { ended: never }, gone: never, multiple: false, directory: false, close: () => undefined },
    cancel: () => Promise.resolve(),
    give: (paths: readonly string[]) => Promise.resolve(void given.push(paths)),
  } as unknown as PageChooser;
  const acting = { agent, stay: () => () => undefined };
  const choose = async (change: () => void) => {
    files.acted(agent, PRESS);
    assert.equal(await files.ask(files.actor, chooser, { isMasked: () => Promise.resolve(false) }), true);
    const choosing = files.choose(acting, ['download'], 0);
    choosing.catch(() => undefined);
    await new Promise(setImmediate);
    change();
    isCopied('/inside/a');
    await choosing;
  };
  await choose(() => undefined);
  assert.deepEqual(given, [['/inside/a']]);
  await assert.rejects(
    choose(() => void roles.delete('file_upload')),
    { code: 'err_forbidden', message: /file_upload/ },
  );
  roles.add('file_upload');
  await assert.rejects(
    choose(() => void (hasMaskRole = false)),
    { code: 'err_forbidden', message: /field_masking/ },
  );
  assert.equal(given.length, 1);
});

it('a program that chooses no file on a busy page gets an error in time', async (context) => {
  const time = new PassingTime();
  context.after(() => time.restore());
  const agent = {
    ...{ id: 'agent', canRead: true, admin: false, shutOut: false },
    rights: { permissions: { control_disabled: false }, roles: new Set(['file_upload']), tied: new Set() },
    perform: <T>(command: () => Promise<T>) => command(),
  } as unknown as ActingAgent['agent'];
  const clock = new ManualClock();
  const quota = new FileQuota({ perFile: 1, perSession: 1 });
  const uploads = new Uploads('/nowhere', '/inside', quota, clock, () => Promise.resolve());
  const copies = { pathOf: () => Promise.resolve('') };
  const files = new AgentFiles(uploads, copies, () => agent, clock);
  const never = new Promise<void>(() => undefined);
  const chooser = { page: { ended: never }, gone: never, close: () => undefined, cancel: () => never };
  files.acted(agent, PRESS);
  await files.ask(files.actor, chooser as unknown as PageChooser, { isMasked: () => Promise.resolve(false) });
  const choosing = files.choose({ agent, stay: () => () => undefined }, [], 0);
  let code = 'none';
  choosing.catch((error: unknown) => (code = error instanceof CallError ? error.code : 'another error'));
  await time.pass(5_000);
  assert.equal(code, 'err_chooser_gone');
});
