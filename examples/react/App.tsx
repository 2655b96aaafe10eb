import type { CloudBrowserElement } from 'cloud-browser/react';
import 'cloud-browser/react';
import { useEffect, useRef, useState } from 'react';
import { fetchSession } from '../shared/session.js';

export function App() {
  const browser = useRef<CloudBrowserElement>(null);
  const [embedUrl, setEmbedUrl] = useState<string>();
  const [state, setState] = useState('idle');
  const [muted, setMuted] = useState(true);

  useEffect(() => {
    let wanted = true;
    fetchSession().then(
      (url) => wanted && setEmbedUrl(url),
      (error: unknown) => wanted && setState(String(error)),
    );
    return () => {
      wanted = false;
    };
  }, []);

  return (
    <>
      <cloud-browser
        ref={browser}
        embedUrl={embedUrl}
        muted={muted}
        label="A shared browser"
        onstatechange={(event) => setState(event.state)}
      />
      <p id="state" role="status">
        {state}
      </p>
      <button onClick={() => setMuted(!muted)}>{muted ? 'Sound on' : 'Sound off'}</button>
      <button onClick={() => browser.current?.focus()}>Type into it</button>
    </>
  );
}
