import theme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import FirstPage from './FirstPage.vue';
import NotFound from './NotFound.vue';
import './site.css';

/**
 * The usual theme, with a first page (`layout: FirstPage`) and one for addresses that lead nowhere of our
 * own: the usual ones have no main landmark.
 */
export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'not-found': () => h(NotFound) }),
  enhanceApp({ app }) {
    app.component('FirstPage', FirstPage);
  },
};
