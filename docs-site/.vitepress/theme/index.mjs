import theme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import FirstPage from './FirstPage.vue';
import NotFound from './NotFound.vue';
import './site.css';

/**
 * The default theme with our own first page (`layout: FirstPage`) and our own page for unknown addresses. The
 * default ones have no main landmark.
 */
export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'not-found': () => h(NotFound) }),
  enhanceApp({ app }) {
    app.component('FirstPage', FirstPage);
  },
};
