'use client';

import 'cloud-browser/react';
import { useEffect, useRef, useState } from 'react';

/** The element. It is in the server's HTML already, and connects as soon as its script is there. */
export function Session({ embedUrl }: { embedUrl: string }) {
  const browser = useRef<HTMLElementTagNameMap['cloud-browser']>(null);
  const [state, setState] = useState('idle');
  useEffect(() => {
    const element = browser.current;
    if (!element) return;
    // The element may be playing before React takes over.
    const show = () => setState(element.state);
    show();
    element.addEventListener('statechange', show);
    return () => element.removeEventListener('statechange', show);
  }, []);
  return (
    <main>
      <cloud-browser ref={browser} embed-url={embedUrl} style={{ display: 'block', aspectRatio: '16 / 9' }} />
      <p id="state">{state}</p>
    </main>
  );
}
