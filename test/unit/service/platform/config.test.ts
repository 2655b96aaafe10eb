import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { helpText } from '../../../../server/src/config/help.js';
import { ConfigError, loadConfig } from '../../../../server/src/config/load-config.js';
import type { Machine } from '../../../../server/src/config/machine.js';
import { VARIABLES } from '../../../../server/src/config/variables/index.js';
import { isLoopbackName, localUrl } from '../../../../server/src/platform/network/loopback.js';

const machine: Machine = {
  ...{ uid: 1000, cores: 2, memoryBytes: 24e9, name: 'm', address: '192.0.2.1' },
  ...{ home: '/home/u', temporary: '/tmp' },
};
const asRoot: Machine = { ...machine, uid: 0 };

function problemsOf(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadConfig(environment, machine);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
  return [];
}

describe('the configuration', () => {
  it('is complete without any variable, and listens only on this machine', () => {
    const config = loadConfig({}, machine);
    assert.deepEqual([config.host, config.port, config.publicUrl], ['127.0.0.1', 8080, undefined]);
    assert.equal(config.stateDir, '/home/u/.local/state/cloud-browser');
    assert.equal(config.runtimeDir, '/tmp/cloud-browser-1000');
    assert.deepEqual([config.maxSessions, config.warmHosts, config.logLevel], [8, 1, 'info']);
    assert.equal(config.sessionUidBase, undefined);
  });

  it('names variables of a cluster that have no effect without a database', () => {
    const cluster = { CLUSTER_SECRET: 's'.repeat(32), MAX_SESSIONS_PER_KEY: '2', NODE_NAME: ' ' };
    const { withoutEffect, cluster: none } = loadConfig(cluster, machine);
    assert.deepEqual([withoutEffect, none], [['CLUSTER_SECRET', 'MAX_SESSIONS_PER_KEY'], undefined]);
    const database = { DATABASE_URL: 'postgres://user:password@localhost/sessions', API_KEYS: 'k' };
    assert.deepEqual(loadConfig({ ...cluster, ...database }, machine).withoutEffect, []);
  });

  it('keeps a warm browser for each kind of demo session if the generated key is for the demo', () => {
    const warm = (environment: NodeJS.ProcessEnv, memoryBytes: number, cores = 4) =>
      loadConfig(environment, { ...machine, memoryBytes, cores }).warmBrowsers;
    assert.deepEqual([warm({}, 8e9), warm({}, 4e9), warm({}, 2e9), warm({}, 8e9, 1)], [2, 1, 0, 0]);
    assert.equal(warm({ API_KEYS: 'a-key-of-the-operator' }, 8e9), 1);
    assert.equal(warm({ WARM_BROWSERS: '0' }, 8e9), 0);
  });

  it('limits the resources of a session, with disk space for a complete profile', () => {
    const usual = { processes: 1_500, cpuWeight: 100, tabs: 50, viewers: 64, standbySeconds: 60 };
    assert.deepEqual(loadConfig({}, machine).limits, {
      ...{ memoryBytes: 2_048 * 2 ** 20, diskBytes: 2_048 * 2 ** 20 },
      ...{ fileBytes: 100 * 2 ** 20, filesBytes: 500 * 2 ** 20 },
      ...usual,
    });
    const { limits } = loadConfig({ MAX_PROFILE_MB: '5000', SESSION_MEMORY_MB: '600' }, machine);
    assert.deepEqual([limits.diskBytes, limits.memoryBytes], [6_024 * 2 ** 20, 600 * 2 ** 20]);
    const large = loadConfig({ MAX_FILE_MB: '1000' }, machine).limits;
    assert.deepEqual([large.filesBytes, large.diskBytes], [5_000 * 2 ** 20, (1_024 + 5_512) * 2 ** 20]);
    const small = loadConfig({ SESSION_DISK_MB: '64', SESSION_FILES_MB: '10' }, machine).limits;
    assert.deepEqual([small.filesBytes, small.diskBytes], [10 * 2 ** 20, 64 * 2 ** 20]);
    assert.equal(loadConfig({ SESSION_DISK_MB: '64' }, machine).limits.filesBytes, 32 * 2 ** 20);
    assert.equal(problemsOf({ SESSION_TABS: '0', SESSION_CPU_WEIGHT: '10001' }).length, 2);
    assert.equal(loadConfig({ STANDBY_SECONDS: '5' }, machine).limits.standbySeconds, 5);
  });

  it('accepts a database with the secret of its nodes', () => {
    const secret = 's'.repeat(32);
    const url = 'postgres://user:password@db.example.com:5433/sessions?sslmode=verify-full';
    assert.equal(loadConfig({}, machine).cluster, undefined);
    const shared = { DATABASE_URL: url, CLUSTER_SECRET: secret, API_KEYS: 'k' };
    const { cluster } = loadConfig(shared, machine);
    assert.deepEqual(cluster, {
      ...{ database: { url, connections: 10, secret }, mode: 'gateway', maxPerKey: null, maxPerTenant: null },
      ...{ nodeName: 'm:8080', nodeNameIsSet: false, nodeUrl: 'http://localhost:8080' },
    });
    const open = loadConfig({ ...shared, HOST: '0.0.0.0' }, machine);
    assert.equal(open.cluster?.nodeUrl, 'http://192.0.2.1:8080');
    const few = { ...shared, DATABASE_CONNECTIONS: '2' };
    assert.equal(loadConfig(few, machine).cluster?.database.connections, 2);
  });

  it('reports missing database settings without printing a secret', () => {
    const complete = {
      ...{ API_KEYS: 'k', CLUSTER_SECRET: 's'.repeat(32) },
      DATABASE_URL: 'postgres://user:password@localhost/sessions',
    };
    const cases: [change: NodeJS.ProcessEnv, problem: RegExp, unprinted?: RegExp][] = [
      [{ CLUSTER_SECRET: undefined }, /^Set CLUSTER_SECRET to/],
      [{ API_KEYS: undefined }, /^Set API_KEYS/],
      [{ CLUSTER_SECRET: 'short-one' }, /^CLUSTER_SECRET must be at least 32 characters/, /short-one/],
      [{ PORT: '0' }, /^Set PORT to a fixed port/],
      [{ DATABASE_URL: 'mysql://user:password@localhost/x' }, /^DATABASE_URL must be/, /mysql/],
      [{ DATABASE_URL: 'postgres://user:pass%zzword@localhost/x' }, /^DATABASE_URL must be/, /zzword/],
      [{ DATABASE_URL: 'postgres://user:password%ff@localhost/x' }, /percent-encoded/, /%ff/],
      [{ DATABASE_URL: 'postgres://user:password@localhost/x?sslmode=foo' }, /sslmode.+verify-full/, /foo/],
      [{ NODE_NAME: 'n'.repeat(500) }, /^NODE_NAME must be at most 200 characters/],
      [{ NODE_NAME: 'a\nb' }, /^NODE_NAME must be/],
      [{ DATABASE_CONNECTIONS: '0' }, /^DATABASE_CONNECTIONS must be/],
    ];
    assert.deepEqual(problemsOf(complete), []);
    for (const [change, problem, unprinted = /password/] of cases) {
      const [first = '', ...more] = problemsOf({ ...complete, ...change });
      assert.match(first, problem);
      assert.deepEqual(more, []);
      assert.doesNotMatch(first, unprinted);
    }
  });

  it('accepts an address to listen on with or without brackets, and no short form of an address', () => {
    const hostOf = (HOST: string) => loadConfig({ HOST, API_KEYS: 'k' }, machine).host;
    for (const host of ['0.0.0.0', '::', 'fe80::1%eth0', 'localhost', 'node-1.example.com'])
      assert.equal(hostOf(host), host);
    assert.deepEqual([hostOf('[::1]'), hostOf('[::]')], ['::1', '::']);
    for (const HOST of ['0', '127.1', '0x7f.1', '0.0.0.0:8080', 'http://localhost', '[localhost]', '::1]'])
      assert.match(problemsOf({ HOST, API_KEYS: 'k' }).join(), /^HOST must be an IP address or a host name/);
  });

  it('accepts no wildcard in an address of the service', () => {
    for (const PUBLIC_URL of ['https://*', 'https://*.example.com'])
      assert.match(problemsOf({ PUBLIC_URL, API_KEYS: 'k' }).join(), /^PUBLIC_URL must be an http or https/);
  });

  it('gives sessions separate user ids when running as root', () => {
    const config = loadConfig({}, asRoot);
    assert.equal(config.sessionUidBase, 64_000);
    assert.equal(config.stateDir, '/var/lib/cloud-browser');
    assert.equal(config.runtimeDir, '/tmp/cloud-browser');
    assert.equal(loadConfig({ SESSION_UID_BASE: '70000' }, asRoot).sessionUidBase, 70_000);
  });

  it('generates a new key for every run without configured keys', () => {
    const [one, two] = [loadConfig({}, machine), loadConfig({ API_KEYS: ' ' }, machine)];
    assert.ok(one.apiKeyGenerated && two.apiKeyGenerated);
    assert.equal(one.apiKeys[0]?.length, 32);
    assert.notEqual(one.apiKeys[0], two.apiKeys[0]);
  });

  it('reads the given variables', () => {
    const address = { PORT: '9000', HOST: '0.0.0.0', PUBLIC_URL: 'https://x.example/' };
    const config = loadConfig({ API_KEYS: 'a, b', ...address, XDG_STATE_HOME: '/s' }, machine);
    assert.deepEqual(config.apiKeys, ['a', 'b']);
    assert.equal(config.apiKeyGenerated, false);
    assert.deepEqual([config.port, config.host, config.publicUrl], [9000, '0.0.0.0', 'https://x.example']);
    assert.equal(config.stateDir, '/s/cloud-browser');
  });

  it('reports all mistakes at once, and prints no key', () => {
    const problems = problemsOf({
      ...{ PORT: '80a', PUBLIC_URL: 'ftp://x', API_KEYS: 'secret,,' },
      ...{ MAX_SESSIONS: '0', STATE_DIR: 'relative', LOG_LEVEL: 'loud' },
    });
    const names = problems.map((problem) => problem.split(' ')[0]);
    assert.deepEqual(names, ['PORT', 'PUBLIC_URL', 'API_KEYS', 'MAX_SESSIONS', 'STATE_DIR', 'LOG_LEVEL']);
    assert.doesNotMatch(problems.join(), /secret/);
    assert.match(problems.join(), /PORT must be a whole number from 0 to 65535, not "80a"\./);
  });

  it('refuses an address of the service with a path, a query or a fragment', () => {
    const problem = /^PUBLIC_URL must be an http or https address without path or query/;
    for (const suffix of ['/base', '/base/', '/?a=b', '/#a'])
      assert.match(problemsOf({ API_KEYS: 'k', PUBLIC_URL: `https://x.example${suffix}` }).join(), problem);
  });

  it('accepts name servers with ports that exist', () => {
    const servers = ['192.0.2.1', '192.0.2.1:65535', '2001:db8::1', '[2001:db8::1]:53'];
    assert.deepEqual(loadConfig({ EGRESS_DNS: servers.join(', ') }, machine).egressNameServers, servers);
    const ports = ['192.0.2.1:0', '192.0.2.1:65536', '[2001:db8::1]:99999', '192.0.2.1:'];
    for (const server of [...ports, 'ns.example'])
      assert.match(problemsOf({ EGRESS_DNS: server }).join(), /^EGRESS_DNS must be addresses/, server);
  });

  it('reads the place of recordings in a store', () => {
    const placeOf = (RECORDINGS_URL: string) => loadConfig({ RECORDINGS_URL }, machine).recordingsUrl;
    const place = { bucket: 'bucket', region: 'us-east-1', endpoint: undefined };
    assert.deepEqual(placeOf('s3://bucket'), { ...place, prefix: '' });
    assert.deepEqual(placeOf('s3://bucket/a%20b/'), { ...place, prefix: 'a b/' });
    for (const url of ['s3://bucket/%zz', 's3://bucket/%ff', 's3://bucket/?region=%zz&x=1', 'https://bucket'])
      assert.match(problemsOf({ RECORDINGS_URL: url }).join(), /^RECORDINGS_URL must be an address/, url);
  });

  it('requires keys when others can reach the service', () => {
    assert.match(problemsOf({ HOST: '0.0.0.0' }).join(), /Set API_KEYS .* HOST=0\.0\.0\.0/);
    assert.match(problemsOf({ PUBLIC_URL: 'https://x.example' }).join(), /Set API_KEYS .* PUBLIC_URL/);
    assert.deepEqual(problemsOf({ HOST: 'localhost', PUBLIC_URL: 'http://localhost:8080' }), []);
  });

  it('requires operator keys that differ from API keys, except for a generated key', () => {
    const run = loadConfig({}, machine);
    assert.deepEqual(run.operatorKeys, run.apiKeys);
    assert.deepEqual(loadConfig({ API_KEYS: 'a' }, machine).operatorKeys, []);
    assert.deepEqual(loadConfig({ API_KEYS: 'a', OPERATOR_KEYS: 'b, c' }, machine).operatorKeys, ['b', 'c']);
    const same = problemsOf({ API_KEYS: 'a,b', OPERATOR_KEYS: 'b' });
    assert.match(same.join(), /^OPERATOR_KEYS must not contain a key/);
    assert.doesNotMatch(problemsOf({ OPERATOR_KEYS: 'secret,,' }).join(), /secret/);
  });

  it('refuses a limit for files that ends sessions before users reach it', () => {
    const limits = { SESSION_DISK_MB: '1000', SESSION_FILES_MB: '1000' };
    assert.match(problemsOf(limits).join(), /^SESSION_FILES_MB=1000 must be below SESSION_DISK_MB=1000\./);
    assert.deepEqual(problemsOf({ ...limits, SESSION_FILES_MB: '999' }), []);
    assert.deepEqual(problemsOf({ SESSION_FILES_MB: '100000' }), []);
  });

  it('refuses keys that no client can send, without showing them', () => {
    for (const API_KEYS of ['secret-a\nsecret-b', 'secret-a,secret-\u20ac', 'secret-a\tsecret-b']) {
      const [problem = '', ...more] = problemsOf({ API_KEYS });
      assert.match(problem, /^API_KEYS must be one key or several separated by commas, of characters that/);
      assert.doesNotMatch(problem, /secret/);
      assert.deepEqual(more, []);
    }
    assert.deepEqual(loadConfig({ API_KEYS: 'a b, \u00e4' }, machine).apiKeys, ['a b', '\u00e4']);
  });

  it('requires metrics keys that give no other access', () => {
    assert.deepEqual(loadConfig({ API_KEYS: 'a', METRICS_KEYS: 'm, n' }, machine).metricsKeys, ['m', 'n']);
    for (const variables of [
      { API_KEYS: 'a,b', METRICS_KEYS: 'm, b' },
      { API_KEYS: 'a', OPERATOR_KEYS: 'o', METRICS_KEYS: 'o' },
    ]) {
      const [problem = '', ...more] = problemsOf(variables);
      assert.deepEqual(more, []);
      assert.match(
        problem,
        /^METRICS_KEYS must not contain a key of API_KEYS or OPERATOR_KEYS\. Choose keys/,
      );
    }
  });

  it('passes no secret to session hosts', () => {
    const config = loadConfig({ API_KEYS: 'k', PATH: '/bin', TZ: 'UTC', AWS_SECRET: 's' }, machine);
    assert.deepEqual(config.hostEnvironment, { PATH: '/bin', TZ: 'UTC' });
  });

  it('is documented in the help, without Markdown', () => {
    for (const name of Object.keys(VARIABLES)) assert.match(helpText(), new RegExp(`^  ${name} `, 'm'));
    assert.match(helpText(), /^ {2}RECORD_DAYS .*; 1 to 36500 \(90\)$/m);
    assert.doesNotMatch(helpText(), /`|\]\(/);
  });

  it('has defaults that are valid values of their variables', () => {
    for (const [name, variable] of Object.entries(VARIABLES)) {
      const value = variable.default;
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      assert.equal(variable.parse(String(value)), value, name);
    }
  });
});

describe('a loopback address', () => {
  it('is distinguished from similar names', () => {
    for (const name of ['localhost', 'LocalHost', '127.0.0.1', '127.9.9.9', '::1', '[::1]'])
      assert.ok(isLoopbackName(name), name);
    for (const name of ['0.0.0.0', '::', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1']) {
      assert.ok(!isLoopbackName(name), name);
    }
  });

  it('is written as localhost, which browsers treat as secure', () => {
    assert.equal(localUrl('127.0.0.1', 8080), 'http://localhost:8080');
    assert.equal(localUrl('0.0.0.0', 80), 'http://localhost');
    assert.equal(localUrl('10.0.0.5', 9000), 'http://10.0.0.5:9000');
    assert.equal(localUrl('fd00::5', 9000), 'http://[fd00::5]:9000');
  });
});
