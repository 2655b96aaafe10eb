import type { Kind } from './fresh-project.js';

const REACT = {
  packages: ['react', 'react-dom', '@types/react', '@types/react-dom', '@vitejs/plugin-react'],
  check: ['tsc', '--noEmit'],
  plugin: ['react', '@vitejs/plugin-react', 'react()'],
  wrong: [
    'Wrong.tsx',
    `import 'cloud-browser/react';\nexport const Wrong = () => <cloud-browser muted="yes" onstatechange={(event) => event.nothing} />;\n`,
  ],
} as const;

/** The frameworks of the documentation, each with the checker that its own users have. */
export const KINDS: readonly Kind[] = [
  {
    name: 'vanilla',
    also: ['admin', 'iframe', 'mobile', 'recipes', 'webgl'],
    packages: [],
    check: ['tsc', '--noEmit'],
    wrong: [
      'wrong.ts',
      `import 'cloud-browser/element';\nconst browser = document.createElement('cloud-browser');\nbrowser.muted = 'yes';\n`,
    ],
  },
  { name: 'react', ...REACT },
  {
    name: 'vue',
    packages: ['vue', '@vitejs/plugin-vue', 'vue-tsc'],
    check: ['vue-tsc', '--noEmit'],
    plugin: [
      'vue',
      '@vitejs/plugin-vue',
      "vue({ template: { compilerOptions: { isCustomElement: (tag: string) => tag === 'cloud-browser' } } })",
    ],
    wrong: [
      'Wrong.vue',
      `<script setup lang="ts">\nimport 'cloud-browser/vue';\n</script>\n\n<template>\n  <cloud-browser muted="yes" nothing="at all"></cloud-browser>\n</template>\n`,
    ],
  },
  {
    name: 'svelte',
    packages: ['svelte', '@sveltejs/vite-plugin-svelte', 'svelte-check'],
    check: ['svelte-check', '--tsconfig', './tsconfig.json', '--fail-on-warnings', '--output', 'machine'],
    plugin: ['{ svelte }', '@sveltejs/vite-plugin-svelte', 'svelte()'],
    wrong: [
      'Wrong.svelte',
      `<script lang="ts">\n  import 'cloud-browser/svelte';\n</script>\n\n<cloud-browser muted={'yes'}></cloud-browser>\n`,
    ],
  },
  {
    name: 'server-rendering',
    ...REACT,
    also: ['backend'],
    packages: [...REACT.packages, 'express', '@types/express', 'playwright-core'],
    server: 'server-rendering/render.tsx',
  },
];
