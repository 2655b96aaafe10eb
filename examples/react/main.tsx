import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.js';

const root = document.querySelector('#app');
if (!root) throw new Error('The page has no #app.');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
