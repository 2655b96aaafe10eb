import { defineConfig } from 'vite';

const SERVICE = 'http://127.0.0.1:8080';

/** What the demo asks of the service; an embed URL starts with a session id of 22 base64url characters. */
const SERVICE_PATHS = ['^/v0/', '^/demo/config$', '^/embed/', '^/[A-Za-z0-9_-]{22}([/?]|$)'];

/** The demo: pages built to be served at `/` and `/mobile`, assets below `/demo/`; or served for development. */
export default defineConfig(({ command }) => ({
  root: 'demo',
  base: command === 'build' ? '/demo/' : '/',
  build: {
    outDir: '../dist/demo',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { input: ['demo/index.html', 'demo/mobile.html'] },
  },
  server: {
    proxy: Object.fromEntries(SERVICE_PATHS.map((path) => [path, { target: SERVICE, ws: true }])),
  },
}));
