'use client';

import type { CloudBrowserElement } from 'cloud-browser/react';
import 'cloud-browser/react';
import { useEffect, useRef, useState } from 'react';

export interface AppProps {
  /** Of a session that the server has asked for. */
  embedUrl: string;
}

/** Rendered on the server and taken over in the page, as a client component of Next is. */
export function App({ embedUrl }: AppProps) {
  const browser = useRef<CloudBrowserElement>(null);
  const [state, setState] = useState('idle');

  useEffect(() => {
    const element = browser.current;
    if (!element) return;
    const told = () => setState(element.state);
    // The element connects as soon as its script is there, which may be before React takes over; and React adds no listeners then.
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
