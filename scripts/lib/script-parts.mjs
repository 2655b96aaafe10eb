import { createHash } from 'node:crypto';

/** Where parts are before all of them are known, and so how their folder is called. */
const FOLDER = 'element-parts/_';
const IMPORT = /\bimport\s*\{([^}]*)\}\s*from\s*["'`]\.\.\/\.\.\/element\.js["'`];?/g;
const EXPORT = /\bexport\s*\{([^}]*)\};?\s*$/;

/** `a as b, c` as pairs: what a name of the left side is on the right one. */
function pairs(list) {
  return list
    .split(',')
    .map((item) => item.trim().split(/\s+as\s+/))
    .filter(([from]) => from)
    .map(([from, to = from]) => [from, to]);
}

/**
 * Makes one script with parts that it loads when it needs them. Parts use code of the script itself, which has several addresses, so
 * they cannot import it: they would run it once more. It hands them what they need by a symbol of this build. The script has all that
 * runs first, so that its hash is that of all that runs first. Parts have the build in their address: they never change.
 *
 * A Vite plugin for a build with the entry `element.js`, `preserveEntrySignatures: 'allow-extension'` and {@link PART_NAMES}.
 */
export function scriptParts() {
  return {
    name: 'script-parts',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
      const hash = createHash('sha256');
      for (const { fileName, code } of chunks) hash.update(`${fileName}\0${code}\0`);
      const build = hash.digest('hex').slice(0, 16);
      const place = (code) => code.replaceAll(FOLDER, `element-parts/${build}`);
      const shared = `globalThis[Symbol.for("cloud-browser ${build}")]`;
      const needed = new Set();
      for (const part of chunks.filter(({ isEntry }) => !isEntry)) {
        const code = part.code.replace(IMPORT, (_all, list) => {
          const names = pairs(list);
          for (const [name] of names) needed.add(name);
          return `const{${names.map(([name, local]) => `${name}:${local}`).join()}}=${shared};`;
        });
        if (/element\.js/.test(code))
          this.error(`${part.fileName} imports the script in a way that is not known.`);
        delete bundle[part.fileName];
        this.emitFile({ type: 'asset', fileName: place(part.fileName), source: place(code) });
      }
      const entry = bundle['element.js'];
      const exported = EXPORT.exec(entry.code)?.[1];
      if (exported === undefined) this.error('The exports of the script are not where they are looked for.');
      const locals = new Map(pairs(exported).map(([local, name]) => [name, local]));
      const handed = [...needed].map((name) => `${name}:${locals.get(name)}`).join();
      entry.code = place(entry.code.replace(EXPORT, (exports) => `${shared}={${handed}};${exports}`));
    },
  };
}

/** For `chunkFileNames`. */
export const PART_NAMES = `${FOLDER}/[name].js`;
