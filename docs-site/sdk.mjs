/** Makes the reference of the SDK from its types and their comments. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Application, Converter, OptionDefaults, ReflectionKind } from 'typedoc';
import { slug } from './slug.mjs';

/** Entries that people import, with their built types. */
const ENTRIES = {
  'cloud-browser': { types: 'index', purpose: 'the client, viewers on your own canvas, errors, types' },
  'cloud-browser/element': {
    types: 'element/define',
    purpose: 'registers `<cloud-browser>`; its class, events and texts',
  },
  'cloud-browser/replay': {
    types: 'replay/define',
    purpose: 'registers `<cloud-browser-replay>`; its class and events',
  },
  'cloud-browser/api': { types: 'api/index', purpose: 'for backends: the REST API and webhooks' },
  'cloud-browser/protocol': {
    types: 'protocol/index',
    purpose: 'for your own viewers: messages and packets of the connection',
  },
};

/**
 * Tags of the custom-elements manifest. The reference omits them, because the guide to embedding has their
 * tables.
 */
const ELEMENT_TAGS = ['@slot', '@csspart', '@cssproperty', '@cssstate', '@event'];

/** Pages for most readers, in addition to the entries. */
const FIRST = [
  ['CloudBrowserElement', 'cloud-browser/element'],
  ['CloudBrowserReplayElement', 'cloud-browser/replay'],
  ['CloudBrowserClient', 'cloud-browser'],
  ['Viewer', 'cloud-browser'],
  ['CloudBrowserApi', 'cloud-browser/api'],
];

/** Members that the element inherits from its base class. */
const INNER = ['properties', 'styles', 'shadowRootOptions', 'render'];

const overview = () => `# SDK reference

This reference is generated from the comments in the code. It describes everything that you can import from the package \`cloud-browser\`. For examples of each task, see the [recipes](../../sdk.md).

| Import | Content |
| --- | --- |
${Object.entries(ENTRIES)
  .map(([name, { purpose }]) => `| [\`${name}\`](${path(name)}index.md) | ${purpose} |`)
  .join('\n')}

Most readers need: ${FIRST.map(([name, entry]) => `[\`${name}\`](${path(entry)}classes/${name}.md)`).join(', ')}.
\`cloud-browser/react\`, \`/vue\` and \`/svelte\` register the element and add its types to templates, see [in five minutes](../../start/index.md).
`;
const path = (entry) => `./${entry}/`;

/**
 * Writes the pages below `folder`, and returns their links for the sidebar. Rejects if typedoc reports an
 * error.
 */
export async function writeSdkReference(root, folder) {
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: Object.values(ENTRIES).map(({ types }) => join(root, `dist/${types}.d.ts`)),
    tsconfig: join(root, 'docs-site/tsconfig.json'),
    blockTags: [...OptionDefaults.blockTags, ...ELEMENT_TAGS],
    modifierTags: OptionDefaults.modifierTags.filter((tag) => tag !== '@event'),
    excludeTags: [...ELEMENT_TAGS, '@category'],
    out: folder,
    outputs: [{ name: 'markdown', path: folder }],
    readme: 'none',
    name: 'SDK reference',
    excludePrivate: true,
    excludeProtected: true,
    excludeInternal: true,
    excludeExternals: true,
    disableSources: true,
    entryFileName: 'index',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    propertyMembersFormat: 'table',
    outputFileStrategy: 'members',
    membersWithOwnFile: ['Class'],
    logLevel: 'Warn',
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const inner of project.getReflectionsByKind(ReflectionKind.ClassMember))
      if (inner.parent?.name === 'CloudBrowserElement' && INNER.includes(inner.name))
        project.removeReflection(inner);
  });
  const project = await app.convert();
  if (!project) throw new Error('typedoc could not read the types of the SDK.');
  for (const entry of project.children ?? []) nameEntry(entry);
  await app.generateOutputs(project);
  if (app.logger.hasErrors()) throw new Error('typedoc found the errors above.');
  mendAnchors(folder);
  for (const [name, { purpose }] of Object.entries(ENTRIES))
    introduce(join(folder, name, 'index.md'), name, purpose);
  writeFileSync(join(folder, 'index.md'), overview());
  return [
    ...Object.keys(ENTRIES).map((name) => ({ text: name, link: `/reference/sdk/${name}/` })),
    ...FIRST.map(([name, entry]) => ({ text: name, link: `/reference/sdk/${entry}/classes/${name}` })),
  ];
}

/** Adds the purpose of an entry and an example of its import to the entry's page. */
function introduce(file, name, purpose) {
  const text = readFileSync(file, 'utf8');
  const example = name.endsWith('/element') ? `import '${name}';` : `import { … } from '${name}';`;
  writeFileSync(file, text.replace(/^# .*$/m, `$&\n\n\`${example}\`: ${purpose}.`));
}

/** Gives an entry its name in imports. typedoc names it after its file. */
function nameEntry(entry) {
  const file = entry.name.replace(/^(api|protocol)$/, '$1/index');
  const found = Object.entries(ENTRIES).find(([, { types }]) => types === file);
  if (!found) throw new Error(`${entry.name} is no entry of the SDK.`);
  entry.name = found[0];
}

/**
 * Repairs links. typedoc numbers headings with the same name in another way, so some numbers do not exist.
 */
function mendAnchors(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join(folder, path));
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const has = (file, anchor) => {
    const [, name, count] = /^(.*)-(\d+)$/.exec(anchor) ?? [];
    const titles = [...(texts.get(file) ?? '').matchAll(/^#+ (.+)$/gm)].filter(
      ([, title]) => slug(title) === name,
    );
    return titles.length > Number(count);
  };
  for (const [file, text] of texts) {
    const mended = text.replace(/\]\(([^)#]*)#([\w-]+)-(\d+)\)/g, (whole, path, name, count) => {
      const target = path === '' ? file : join(dirname(file), path);
      return has(target, `${name}-${count}`) ? whole : `](${path}#${name})`;
    });
    writeFileSync(file, mended);
  }
}
