import theme from 'vitepress/theme-without-fonts';
import FirstPage from './FirstPage.vue';
import './site.css';

/** The usual theme, with a first page of our own (`layout: FirstPage`): the usual one has no main landmark. */
export default {
  extends: theme,
  enhanceApp({ app }) {
    app.component('FirstPage', FirstPage);
  },
};
