/**
 * Makes the reference of the REST API from its OpenAPI description and the tested `curl` lines of the guide.
 */
import { plain, table } from './tables.mjs';

const CREDENTIALS = {
  apiKey: 'an API key (`API_KEYS`)',
  adminToken: "the session's `admin_token`",
};
/**
 * Further refusals of requests, by a part of `METHOD path`. {@link refusals} adds those of credential and
 * body.
 */
const REFUSALS = {
  'POST /v0/vm': [
    ...['exceeded_vm_limit', 'region_unavailable', 'invalid_extension', 'unsupported_media_type'],
    ...[
      'profile_not_found',
      'profile_unreadable',
      'profile_in_use',
      'too_many_requests',
      'session_failed',
      'session_terminated',
      'unavailable',
      'storage',
    ],
  ],
  'DELETE /v0/vm': ['profile_not_saved'],
  '/{address}/tabs': ['chrome', 'address_not_allowed', 'too_many_tabs'],
  '/{address}/users': ['user_not_found'],
  Permissions: ['user_not_found'],
  Roles: ['user_not_found'],
  '/{address}/files': ['too_many_attempts'],
  'POST /{address}/files': ['forbidden', 'upload_offset', 'file_too_large', 'file_quota'],
  'POST /{address}/uploads': ['file_too_large', 'file_quota'],
  'DELETE /{address}/uploads': ['upload_gone'],
  '/{address}/downloads': ['download_gone'],
  'GET /{address}/files': ['forbidden'],
};
/** Paths of requests that the session performs. {@link CALLS_OF_PROGRAMS} are those for programs. */
const CALLS = /\/(tabs|dialogs|users|pinSize|setPermissions|\w+Roles|kick)\b/;
const CALLS_OF_PROGRAMS = /\/(computer|screenshot|uploads|downloads|handoffs)\b/;
const OF_TABS = ['dialog_open', 'page_unresponsive', 'too_many_calls', 'browser_unavailable', 'call_timeout'];

const pageOf = (tag) => `rest-${tag.toLowerCase().replaceAll(' ', '-')}`;
const anchorOf = ({ operationId }) => operationId.toLowerCase();

/** True if the rate of a request is limited for each credential, address or session. */
function hasRate(path, { security }) {
  const ofRecording = security.some((credential) => 'replayToken' in credential);
  return ofRecording || (path.startsWith('/{address}') && !path.endsWith('/ok'));
}

function refusals({ method, path, operation }) {
  const codes = [];
  const [credential] = operation.security.flatMap(Object.keys);
  if (credential) codes.push('unauthenticated', 'too_many_attempts');
  // The service does not parse the bytes of files.
  const { content = {} } = operation.requestBody ?? {};
  if (operation.requestBody && !('application/octet-stream' in content))
    codes.push('invalid_json', 'invalid_parameter', 'body_too_large');
  else if (operation.parameters.length > 0) codes.push('invalid_parameter');
  if (path.startsWith('/{address}')) codes.push('session_terminated');
  if (/\{(address|session_id)\}/.test(path)) codes.push('not_found');
  for (const [part, more] of Object.entries(REFUSALS))
    if (
      part.startsWith('/') || /^[A-Z][a-z]/.test(part)
        ? path.includes(part)
        : `${method} ${path}`.startsWith(part)
    )
      if (part !== 'POST /v0/vm' || path === '/v0/vm') codes.push(...more);
  if (/tabs|dialogs/.test(path)) codes.push(...OF_TABS);
  if (hasRate(path, operation)) codes.push('too_many_requests');
  if (CALLS.test(path) || CALLS_OF_PROGRAMS.test(path)) codes.push('too_many_calls');
  if (CALLS_OF_PROGRAMS.test(path)) codes.push('too_many_agents');
  return [...new Set(codes)].map((code) => `[\`err_${code}\`](errors.md#err_${code})`).join(', ');
}

/** Returns the type of a schema in a few words. */
function typeOf(schema) {
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(' or ');
  if (schema.type === 'array')
    return schema.items?.type === 'object' ? 'list of objects' : `list of ${typeOf(schema.items ?? {})}`;
  return [schema.type ?? 'any'].flat().join(' or ');
}

/** Returns the fields of an object, also of inner objects, as rows: `a.b`, type, default, description. */
function fields(schema, prefix = '', required = schema.required ?? []) {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const path = `${prefix}${name}`;
    const nested = [inner, ...(inner.anyOf ?? []), inner.items ?? {}].filter(({ properties }) => properties);
    const type = `${typeOf(inner)}${required.includes(name) ? ', required' : ''}`;
    const standard = inner.default === undefined ? '' : `\`${JSON.stringify(inner.default)}\``;
    return [
      [`\`${path}\``, type, standard, plain(inner.description)],
      ...nested.flatMap((each) => fields(each, `${path}${inner.items ? '[]' : ''}.`)),
    ];
  });
}

function fieldTable(schema) {
  const rows = fields(schema.type === 'array' ? { properties: { '[]': schema.items ?? {} } } : schema);
  const standards = rows.some(([, , standard]) => standard !== '');
  return standards
    ? table(['Field', 'Type', 'Default', 'Meaning'], rows)
    : table(
        ['Field', 'Type', 'Meaning'],
        rows.map(([name, type, , meaning]) => [name, type, meaning]),
      );
}

/** Returns the tested lines of the guide for a request. `{…}` in the path stands for any text. */
function curlOf({ method, path }, guide) {
  const lines = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, line]) => line.trim());
  const pattern = path
    .replace('/{address}', '\\$SESSION_URL')
    .replaceAll(/\{[^}]+\}/g, '[^"/?]+')
    .replace(/^\//, '\\$BASE_URL/');
  const wanted = new RegExp(`"${pattern}(\\?[^"]*)?"`);
  return lines.filter((line) => {
    const used = /-X ([A-Z]+)/.exec(line)?.[1] ?? (/ -d | -F | --data/.test(line) ? 'POST' : 'GET');
    return used === method && wanted.test(line);
  });
}

function section(each, guide) {
  const { method, path, operation } = each;
  const [credential] = operation.security.flatMap(Object.keys);
  const body = operation.requestBody?.content['application/json']?.schema;
  const answer = operation.responses['200']?.content?.['application/json']?.schema;
  const curl = curlOf(each, guide);
  return [
    `## ${operation.summary} {#${anchorOf(operation)}}`,
    `\`${method} ${path}\`, with ${CREDENTIALS[credential] ?? 'no credential'}.`,
    ...curl.map((line) => `\`\`\`sh\n${line}\n\`\`\``),
    ...titled(
      'Parameters',
      table(
        ['Name', 'In', 'Meaning'],
        operation.parameters.map((p) => [`\`${p.name}\``, p.in, plain(p.description)]),
      ),
    ),
    ...titled('Body', body && fieldTable(body)),
    ...titled('Answer', answer ? fieldTable(answer) : ''),
    `**Errors:** ${refusals(each) || 'none'}.`,
  ].join('\n\n');
}

const titled = (title, text) => (text ? [`**${title}**`, text] : []);

/** Returns the pages by their names, and their links for the sidebar. */
export function restPages(openapi, guide) {
  const all = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const parts = openapi.tags.map(({ name, description }) => ({
    name,
    description,
    requests: all.filter(({ operation }) => operation.tags?.includes(name)),
  }));
  const rows = parts.flatMap(({ name, requests }) =>
    requests.map(({ method, path, operation }) => [
      `[${operation.summary}](${pageOf(name)}.md#${anchorOf(operation)})`,
      `\`${method} ${path}\``,
    ]),
  );
  const index = `# All requests

This page is generated from the service's own description, \`/openapi.json\` (OpenAPI ${openapi.openapi}). \`{address}\` is the path of a session's \`embed_url\`.
Read the [guide](../api.md) first. It has examples and the rules that concern several fields. [Errors by code](errors.md) lists all refusals.

${table(['Request', 'Address'], rows)}
`;
  const pages = parts.map(({ name, description, requests }) => [
    pageOf(name),
    `---\noutline: 2\n---\n\n# REST: ${name}\n\n${description} The [guide](../api.md) explains the variables of the \`curl\` lines.\n\n${requests.map((each) => section(each, guide)).join('\n\n')}\n`,
  ]);
  return {
    pages: Object.fromEntries([['rest', index], ...pages]),
    links: parts.map(({ name }) => ({ text: name, link: `/reference/${pageOf(name)}` })),
  };
}
