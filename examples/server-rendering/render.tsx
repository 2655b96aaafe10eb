import { renderToString } from 'react-dom/server';
import { App, type AppProps } from './App.js';

/** Fills a page that Vite has built. */
export function render(page: string, props: AppProps): string {
  // Escape `<`, because it could end the script element.
  const data = JSON.stringify(props).replaceAll('<', '\\u003c');
  const html = renderToString(<App {...props} />);
  return page.replace('<!--app-->', () => html).replace('<!--props-->', () => data);
}
