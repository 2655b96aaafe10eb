'use client';

import type { CloudBrowserElement } from 'cloud-browser/react';
import 'cloud-browser/react';
import { useEffect, useRef, useState } from 'react';

export interface AppProps {
  /** Embed URL of a session that the server created. */
  embedUrl: string;
}

/** Rendered on the server and hydrated in the page, like a client component of Next.js. */
export function App({ embedUrl }: AppProps) {
  const browser = useRef<CloudBrowserElement>(null);
  const [state, setState] = useState('idle');

  useEffect(() => {
    const element = browser.current;
    if (!element) return;
    const told = () => setState(element.state);
    // The element connects when its script is loaded, possibly before hydration. React adds no event
    // listeners to the element then.
    told();
    element.addEventListener('statechange', told);
    return () => element.removeEventListener('statechange', told);
  }, []);

  return (
    <main>
      <h1>Server rendering</h1>
      <cloud-browser ref={browser} embedUrl={embedUrl} label="A shared browser" />
      <p id="state" role="status">
        {state}
      </p>
    </main>
  );
}
