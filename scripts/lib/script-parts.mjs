import { createHash } from 'node:crypto';

const EXPORT = /\bexport\s*\{([^}]*)\};?\s*$/;

/** Parses `a as b, c` into pairs of a name and its alias. */
function pairs(list) {
  return list
    .split(',')
    .map((item) => item.trim().split(/\s+as\s+/))
    .filter(([from]) => from)
    .map(([from, to = from]) => [from, to]);
}

/**
 * Makes one script with parts that it loads when it needs them. Returns a Vite plugin for a build with the
 * entry `<name>.js`, `preserveEntrySignatures: 'allow-extension'` and `chunkFileNames` of {@link partNames}.
 *
 * Parts use code of the script itself. They cannot import the script, because it has several addresses, and
 * an import would run it once more. So the script gives them the code by a symbol of this build.
 * The script contains all code that runs first, so its hash covers that code. The address of a part contains
 * the build, so a part never changes.
 *
 * @param {string} name of the script
 * @param {string} [loader] name of an export of the script, which loads the part at a path below the
 *   service's root and is then no longer exported; without it, parts are imported beside the script
 */
export function scriptParts(name, loader) {
  // Temporary folder of the parts. The final name is computed from all of them.
  const folder = `${name}-parts/_`;
  const imports = new RegExp(
    `\\bimport\\s*\\{([^}]*)\\}\\s*from\\s*["'\`]\\.\\./\\.\\./${name}\\.js["'\`];?`,
    'g',
  );
  return {
    name: 'script-parts',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
      const hash = createHash('sha256');
      for (const { fileName, code } of chunks) hash.update(`${fileName}\0${code}\0`);
      const build = hash.digest('hex').slice(0, 16);
      const shared = `globalThis[Symbol.for("cloud-browser ${name} ${build}")]`;
      const place = (code) => {
        const placed = code.replaceAll(folder, `${name}-parts/${build}`);
        if (!loader) return placed;
        // Imports by the script, and by a part of another part.
        return placed.replace(
          /\bimport\(([`"'])\.\/([\w./-]+)\1\)/g,
          (_all, _quote, path) => `${shared}.${loader}("${path}")`,
        );
      };
      const needed = new Set(loader ? [loader] : []);
      for (const part of chunks.filter(({ isEntry }) => !isEntry)) {
        const code = part.code.replace(imports, (_all, list) => {
          const names = pairs(list);
          for (const [exported] of names) needed.add(exported);
          return `const{${names.map(([exported, local]) => `${exported}:${local}`).join()}}=${shared};`;
        });
        if (code.includes(`${name}.js`) || (loader && /\bimport\b/.test(code)))
          this.error(`${part.fileName} imports in a way that is not known.`);
        delete bundle[part.fileName];
        this.emitFile({ type: 'asset', fileName: place(part.fileName), source: place(code) });
      }
      const entry = bundle[`${name}.js`];
      const exported = EXPORT.exec(entry.code)?.[1];
      if (exported === undefined) this.error('The exports of the script are not where they are looked for.');
      const locals = new Map(pairs(exported).map(([local, each]) => [each, local]));
      const handed = [...needed].map((each) => `${each}:${locals.get(each)}`).join();
      entry.code = place(entry.code.replace(EXPORT, (exports) => `${shared}={${handed}};${exports}`));
    },
  };
}

/** Returns the value for `chunkFileNames`. */
export const partNames = (name) => `${name}-parts/_/[name].js`;
