import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { firstLine, ManagedProcess } from '../../../../server/src/platform/process/child-process.js';
import { processStatus } from '../../../../server/src/platform/process/proc.js';

const shell = (script: string, extraStdio: 'pipe'[] = []) =>
  ManagedProcess.start({
    ...{ name: 'Shell', command: 'sh', args: ['-c', script], env: { PATH: '/usr/bin:/bin' }, extraStdio },
  });

describe('a program that ends by itself', () => {
  it('is reported with name, process id, exit code and its last output', async () => {
    const program = shell('seq 1 20000 >&2; exit 3');
    const { logTail, ...end } = await program.exited;
    assert.deepEqual(end, { name: 'Shell', pid: program.pid, code: 3, signal: null });
    const lines = logTail.split('\n');
    assert.deepEqual([lines.length, lines[0], lines.at(-1)], [40, '19961', '20000']);
  });

  it('is reported with the signal that ended it', async () => {
    const { code, signal } = await shell('kill -KILL $$').exited;
    assert.deepEqual([code, signal], [null, 'SIGKILL']);
  });

  it('ends the rest of its process group', async () => {
    const program = shell('sleep 600 & echo $!');
    const { logTail } = await program.exited;
    assert.equal(program.running, false);
    // The process that adopts it may not reap it.
    while (processStatus(Number(logTail))?.zombie === false)
      await new Promise((resolve) => setImmediate(resolve));
  });

  it('is reported even if a process outside its group holds its output open', async () => {
    const outsider = "setsid sh -c 'echo $$; exec sleep 600 >&2' &";
    const { code, logTail } = await shell(`echo $(${outsider})`).exited;
    assert.equal(code, 0);
    process.kill(Number(logTail), 'SIGKILL');
  });

  it('rejects callers that wait for its first line, with the reason', async () => {
    const program = shell('echo no screen >&2; exit 1', ['pipe']);
    await assert.rejects(
      firstLine(program.pipe(3), program),
      /^Error: Shell ended early \(1\)\.\nno screen$/,
    );
  });
});

describe('a program that is stopped', () => {
  it('receives a signal, and has ended afterwards', async () => {
    const program = shell('trap "exit 5" TERM; echo ready >&3; while :; do sleep 0.05; done', ['pipe']);
    assert.equal(await firstLine(program.pipe(3), program), 'ready');
    await program.stop();
    assert.equal((await program.exited).code, 5);
  });

  it('that does not exist counts as ended', async () => {
    const program = ManagedProcess.start({ name: 'Nothing', command: '/no/such', args: [], env: {} });
    assert.equal((await program.exited).code, 127);
    await program.stop();
  });
});
