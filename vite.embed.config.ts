import { defineConfig, type Plugin } from 'vite';

/** Has the page run its small early script as soon as that is there, whatever else is still loading. */
function earlyScript(): Plugin {
  return {
    name: 'early-script',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const early = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'early');
        if (!early) throw new Error('The early script is not in the bundle.');
        const attrs = { type: 'module', async: true, crossorigin: true, src: `/embed/${early.fileName}` };
        return [{ tag: 'script', attrs, injectTo: 'head-prepend' }];
      },
    },
  };
}

/** The page behind an embed URL. It is served below many addresses, so its assets have a fixed one. */
export default defineConfig({
  root: 'src/embed',
  base: '/embed/',
  plugins: [earlyScript()],
  build: {
    outDir: '../../server/dist/pages/embed',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rollupOptions: { input: { index: 'src/embed/index.html', early: 'src/embed/early.ts' } },
  },
});
