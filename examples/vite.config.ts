import { readdirSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import react from '@vitejs/plugin-react';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

/** Every folder with a page is an example. */
const pages = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /^[a-z-]+\/index\.html$/.test(path),
);

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'cloud-browser' } } }),
    svelte(),
  ],
  build: {
    target: 'es2022',
    emptyOutDir: true,
    rolldownOptions: { input: pages },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
});
