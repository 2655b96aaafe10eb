/**
 * Describes the element for editors and documentation: `custom-elements.json`, and `html-custom-data.json`
 * for VS Code. Both are published. They are in the repository, so that a review shows changes of the element.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, ts } from '@custom-elements-manifest/analyzer';
import { litPlugin } from '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js';
import { getVsCodeHtmlCustomData } from 'custom-element-vs-code-integration';

/** Sources that the manifest describes: the elements, their registration and their events. */
const SOURCES = [
  ...['cloud-browser', 'define', 'events', 'files/file-events'].map((name) => `src/element/${name}.ts`),
  ...['cloud-browser-replay', 'define', 'replay-element-events'].map((name) => `src/replay/${name}.ts`),
];

/** The elements by their classes: tag, module with the table of properties, and the names of its exports. */
const ELEMENTS = {
  CloudBrowserElement: {
    tag: 'cloud-browser',
    ...{ module: 'element/element-properties', properties: 'PROPERTIES', defaults: 'DEFAULTS' },
  },
  CloudBrowserReplayElement: {
    tag: 'cloud-browser-replay',
    ...{ module: 'replay/replay-properties', properties: 'REPLAY_PROPERTIES', defaults: 'REPLAY_DEFAULTS' },
  },
};

/** Named types of attributes, and the files that define them. Editors offer the values of the definition. */
const NAMED_TYPES = {
  Fit: 'src/core/sizes/geometry.ts',
  ResizeMode: 'src/viewer/controls/auto-resize.ts',
  AccessibilityMode: 'src/element/mirror/mirror-owner.ts',
};

/** Returns the definition of a named type, and any other type as it is. */
function writtenOut(root, type) {
  const file = NAMED_TYPES[type?.text];
  if (!file) return type;
  const source = readFileSync(join(root, file), 'utf8');
  const [, union] = new RegExp(`export type ${type.text} =([^;]+);`).exec(source) ?? [];
  const [, list] = /typeof (\w+)/.exec(union ?? '') ?? [];
  const [, values] = (list && new RegExp(`const ${list} = \\[([^\\]]+)\\]`).exec(source)) || [];
  const text = values ? values.split(',').join(' |') : union;
  if (!text) throw new Error(`${file} has no type ${type.text}.`);
  return { text: text.trim().replace(/\s+/g, ' ') };
}

/** True for members that users of the element may use. */
const isPublic = ({ name, privacy, internal, static: ofClass }) =>
  !name.startsWith('#') && privacy !== 'private' && privacy !== 'protected' && !internal && !ofClass;

/** Marks members with the tag `@internal`, which the analyzer does not read. */
const internals = {
  name: 'internals',
  analyzePhase({ node, moduleDoc }) {
    if (node.kind !== ts.SyntaxKind.ClassDeclaration) return;
    const shown = moduleDoc.declarations.find(({ name }) => name === node.name?.getText());
    for (const member of node.members) {
      const tags = ts.getJSDocTags(member).map(({ tagName }) => tagName.getText());
      if (!tags.includes('internal')) continue;
      for (const each of shown?.members ?? []) if (each.name === member.name?.getText()) each.internal = true;
    }
  },
};

/**
 * Adds the attributes of the element's properties. The analyzer does not read the table of the properties.
 */
function addAttributes(root, element, properties, defaults) {
  element.attributes = [];
  for (const [name, { attribute = name.toLowerCase(), reflect = false }] of Object.entries(properties)) {
    const member = element.members.find((each) => each.name === name);
    if (!member) throw new Error(`The property ${name} is not described.`);
    delete member.privacy;
    if (name in defaults) member.default = JSON.stringify(defaults[name]).replaceAll('"', "'");
    if (attribute === false) continue;
    const { type, description, default: value } = member;
    Object.assign(member, { attribute, reflects: reflect });
    const written = writtenOut(root, type);
    element.attributes.push({ name: attribute, fieldName: name, type: written, description, default: value });
  }
}

/** Returns both descriptions as texts, made from the sources and the built files. */
export async function describeElement(root) {
  const modules = SOURCES.map((path) =>
    ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.ES2022, true),
  );
  const manifest = create({ modules, plugins: [...litPlugin(), internals] });
  for (const module of manifest.modules) {
    module.path = module.path.replace(/^src\/(.*)\.ts$/, 'dist/$1.js');
    const exported = module.exports.map(({ declaration }) => declaration?.name);
    module.declarations = module.declarations.filter(({ name }) => exported.includes(name));
    for (const declaration of module.declarations) {
      declaration.members = declaration.members?.filter(isPublic);
      // The analyzer also adds events that have no description, from the code that dispatches them.
      declaration.events = declaration.events?.filter(({ description }) => description);
      const element = ELEMENTS[declaration.name];
      if (!element) continue;
      declaration.tagName = element.tag;
      declaration.customElement = true;
      const built = await import(join(root, `dist/${element.module}.js`));
      addAttributes(root, declaration, built[element.properties], built[element.defaults]);
    }
  }
  const data = JSON.parse(getVsCodeHtmlCustomData(manifest, { outdir: null, htmlFileName: null }));
  return {
    'custom-elements.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'html-custom-data.json': `${JSON.stringify(data, null, 2)}\n`,
  };
}
