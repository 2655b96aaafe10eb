import { hydrateRoot } from 'react-dom/client';
import { App, type AppProps } from './App.js';

const root = document.querySelector('#app');
const props = JSON.parse(document.querySelector('#props')?.textContent ?? '') as AppProps;
if (root) hydrateRoot(root, <App {...props} />);
