import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { inspect } from '../../../../server/src/database/inspection.js';
import { LockError } from '../../../../server/src/platform/files/file-lock.js';
import { portOf } from '../../../../server/src/platform/network/port.js';
import {
  makeConfiguredDirectory,
  requireDocs,
} from '../../../../server/src/startup/configured-directories.js';
import { listenError, requireFreePort } from '../../../../server/src/startup/listening-port.js';
import { startAdviceOf } from '../../../../server/src/platform/process/start-advice.js';
import { requireOpenFiles, requireProcesses } from '../../../../server/src/startup/system-limits.js';
import { StartError, startErrorOf } from '../../../../server/src/startup/start-error.js';

/** An error of the operating system, as Node reports it. */
function systemError(code: string, syscall: string, path?: string): Error {
  const message = `${code}: it failed, ${syscall}${path === undefined ? '' : ` '${path}'`}`;
  return Object.assign(new Error(message), { code, syscall, ...(path !== undefined && { path }) });
}

describe('the error of a failed start', () => {
  it('names the disk if files cannot be written', () => {
    for (const code of ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']) {
      const told = startErrorOf(systemError(code, 'write'));
      assert.ok(told instanceof StartError);
      assert.match(
        told.message,
        new RegExp(`^The service cannot write its files \\(${code}.+ is full, read-only`),
      );
    }
  });

  it('names the limit if a file is too large for it', () => {
    const told = startErrorOf(systemError('EFBIG', 'copyfile', '/package/bridge.js'));
    assert.ok(told instanceof StartError);
    assert.match(told.message, /^The service cannot write a file \(EFBIG.+ulimit -f/);
  });

  it('names a path at which there is something else', () => {
    for (const code of ['EEXIST', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG']) {
      const told = startErrorOf(systemError(code, 'mkdir', '/state/sessions'));
      assert.ok(told instanceof StartError);
      assert.match(told.message, /mkdir '\/state\/sessions'\)\. .+ remove what is in its place/);
    }
  });

  it('names the limit of open files', () => {
    for (const code of ['EMFILE', 'ENFILE']) {
      const told = startErrorOf(systemError(code, 'open', '/state/alive'));
      assert.ok(told instanceof StartError);
      assert.match(told.message, /Raise the limit of open files \(ulimit -n/);
    }
    for (const hard of [undefined, 256]) requireOpenFiles({ soft: 1, hard });
    assert.throws(() => requireOpenFiles({ soft: 255, hard: 255 }), {
      code: 'err_start',
      message: /^A process may have only 255 files open\. Set the hard limit/,
    });
  });

  it('names the limit of processes, which does not apply to root', () => {
    for (const soft of [undefined, 300]) requireProcesses({ soft, hard: soft }, 1000);
    requireProcesses({ soft: 20, hard: 20 }, 0);
    assert.throws(() => requireProcesses({ soft: 299, hard: 5_000 }, 1000), {
      code: 'err_start',
      message: /only 299 processes and threads\. Set the limit to at least 300.+ulimit -u/,
    });
    const output =
      '[2:2] pthread_create: Resource temporarily unavailable (11)\nptrace: Operation not permitted';
    assert.match(startAdviceOf(output) ?? '', /^The limit of processes and threads is reached\..+ulimit -u/);
  });

  it('names the disk of sessions if a program cannot write there, and nothing for other reasons', () => {
    const output = "bwrap: Can't mkdir parents for /tmp/home: No space left on device";
    assert.match(startAdviceOf(output) ?? '', /^The disk of RUNTIME_DIR is full/);
    assert.equal(startAdviceOf('bwrap: Creating new namespace failed: Operation not permitted'), undefined);
  });

  it('names a file that belongs to another user', () => {
    for (const code of ['EACCES', 'EPERM']) {
      const told = startErrorOf(systemError(code, 'open', '/state/alive'));
      assert.ok(told instanceof StartError);
      assert.match(told.message, /open '\/state\/alive'\)\. .+ must belong to the user who starts/);
    }
  });

  it('keeps the original error, and does not claim that the file belongs to the service', () => {
    for (const code of ['ENOSPC', 'EACCES']) {
      const original = systemError(code, 'open', '/etc/ssl/openssl.cnf');
      const told = startErrorOf(original);
      assert.ok(told instanceof StartError);
      assert.equal(told.cause, original);
      assert.match(told.message, /\)\. If the file is in STATE_DIR, RUNTIME_DIR or RECORDINGS_DIR, /);
    }
  });

  it('is not changed if it has other reasons', () => {
    const others = [
      new LockError('It is not a file.'),
      systemError('EACCES', 'connect'),
      systemError('EACCES', 'spawn setpriv', 'setpriv'),
      systemError('ENOENT', 'open', '/state/alive'),
      new Error('a defect'),
    ];
    for (const other of others) assert.equal(startErrorOf(other), other);
  });
});

describe('a directory of the configuration', () => {
  it('is named with its variable if recordings cannot be stored there', async () => {
    for (const path of ['/dev/null/recordings', '/dev/null', '/proc/recordings'])
      await assert.rejects(makeConfiguredDirectory('RECORDINGS_DIR', path), {
        code: 'err_start',
        message: new RegExp(`^${path} cannot be made \\(.+\\)\\. Set RECORDINGS_DIR to`),
      });
  });

  it('is named with its variable if it contains no documentation', () => {
    requireDocs(undefined);
    assert.throws(() => requireDocs('/nonexistent'), {
      code: 'err_start',
      message: /^DOCS_DIR=\/nonexistent contains no documentation\. Set DOCS_DIR/,
    });
  });
});

describe('the address of the database', () => {
  it('is named if it names a file that cannot be read', async () => {
    const url = 'postgres://user:password@localhost/x?sslmode=verify-full&sslrootcert=/missing.pem';
    await assert.rejects(
      inspect(url, () => Promise.resolve([])),
      { code: 'err_start', message: /^A file that DATABASE_URL names cannot be read \(ENOENT.+missing\.pem/ },
    );
  });
});

describe('the port of the service', () => {
  it('is reported as taken, at the beginning of the start and at its end', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = { host: '127.0.0.1', port: portOf(other.address()) };
    const message = `Port ${address.port} on 127.0.0.1 is used by another program. Stop that program, or set PORT to another port.`;
    await assert.rejects(requireFreePort(address), { code: 'err_start', message });
    const second = createServer().listen(address);
    const [error] = (await once(second, 'error')) as [Error];
    const told = listenError(error, address);
    assert.ok(told instanceof StartError);
    assert.equal(told.message, message);
    other.close();
    await once(other, 'close');
    await requireFreePort(address);
  });

  it('is reported with HOST and PORT if it cannot be used', () => {
    const told = listenError(systemError('EACCES', 'listen'), { host: '127.0.0.1', port: 80 });
    assert.ok(told instanceof StartError);
    assert.match(told.message, /^The service cannot listen on HOST=127\.0\.0\.1 PORT=80 \(EACCES\)\./);
  });
});
