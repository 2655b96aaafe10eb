export default defineNuxtConfig({
  compatibilityDate: '2025-07-01',
  telemetry: false,
  // Vue's compiler has to know the tag.
  vue: { compilerOptions: { isCustomElement: (tag) => tag === 'cloud-browser' } },
});
