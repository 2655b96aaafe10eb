import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';
import { compactRules, type Rule } from './server/browser-extensions/adblock/compact-rules.js';
import { MANIFEST, RULE_LISTS } from './server/browser-extensions/adblock/manifest.js';
import { ruleLicenses } from './scripts/lib/complete-licenses.mjs';

const SOURCES = 'server/browser-extensions';
const RULES_PACKAGE = 'node_modules/@adguard/dnr-rulesets';
const RULES = `${RULES_PACKAGE}/dist/filters/declarative`;

/** Copies the manifests of extensions with code. Generates the ad blocker from the package with its rules. */
function extensionFiles(): Plugin {
  return {
    name: 'extension-files',
    generateBundle() {
      const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source });
      for (const name of ['bridge', 'draw'])
        emit(`${name}/manifest.json`, readFileSync(`${SOURCES}/${name}/manifest.json`, 'utf8'));
      emit('adblock/manifest.json', JSON.stringify(MANIFEST, null, 2));
      const { version } = JSON.parse(readFileSync(`${RULES_PACKAGE}/package.json`, 'utf8')) as {
        version: string;
      };
      emit('adblock/licenses.md', ruleLicenses(version));
      for (const list of RULE_LISTS) {
        const rules = JSON.parse(
          readFileSync(`${RULES}/ruleset_${list}/ruleset_${list}.json`, 'utf8'),
        ) as Rule[];
        emit(`adblock/rules/${list}.json`, JSON.stringify(compactRules(rules)));
      }
    },
  };
}

/**
 * Builds the code inside the browsers of sessions: extensions, and the script that watches the focus of
 * frames.
 */
export default defineConfig({
  publicDir: false,
  plugins: [extensionFiles()],
  build: {
    outDir: 'server/dist/browser-extensions',
    emptyOutDir: true,
    target: 'es2022',
    minify: false,
    reportCompressedSize: false,
    rollupOptions: {
      input: {
        'bridge/worker': `${SOURCES}/bridge/worker.ts`,
        'draw/content': `${SOURCES}/draw/content.ts`,
        'focus/frame': `${SOURCES}/focus/frame.ts`,
      },
      // The entries share no file, because a content script must be a classic script, which cannot import.
      output: { format: 'es', entryFileNames: '[name].js' },
    },
  },
});
