import { defineConfig } from 'vite';

const SERVICE = 'http://127.0.0.1:8080';

/** What the demo asks of the service; an embed URL starts with a session id of 22 base64url characters. */
const SERVICE_PATHS = ['^/v0/', '^/demo/config$', '^/embed/', '^/[A-Za-z0-9_-]{22}([/?]|$)'];

/** The demo: built to be served at `/` with its assets below `/demo/`, or served for development beside the service. */
export default defineConfig(({ command }) => ({
  root: 'demo',
  base: command === 'build' ? '/demo/' : '/',
  build: {
    outDir: '../dist/demo',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: {
    proxy: Object.fromEntries(SERVICE_PATHS.map((path) => [path, { target: SERVICE, ws: true }])),
  },
}));
