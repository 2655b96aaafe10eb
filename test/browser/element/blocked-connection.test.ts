import type { DisconnectedError } from '../../../src/core/index.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { equal, ok } from '../support/assert.js';

const ADDRESS = 'wss://session.example';

/** Opens a page with a Content-Security-Policy and a module. */
async function opened(policy: string, module: string, body = ''): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe');
  frame.srcdoc = `<!doctype html>
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <script type="module">${module}</script>
    ${body}`;
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
  document.body.append(frame);
  await loaded;
  return frame;
}

/** Shows an element in a page with a Content-Security-Policy. */
async function shown(policy: string): Promise<{ element: CloudBrowserElement; frame: HTMLIFrameElement }> {
  const body = '<cloud-browser embed-url="https://session.example/a?token=t"></cloud-browser>';
  const frame = await opened(policy, "import '/src/element/define.ts';", body);
  const element = frame.contentDocument?.querySelector('cloud-browser');
  ok(element);
  return { element, frame };
}

describe('a connection that the page’s Content-Security-Policy forbids', () => {
  for (const policy of ["connect-src 'self'", "default-src 'self' 'unsafe-inline'"])
    it(`fails at once, and names directive and address: ${policy}`, async () => {
      const { element, frame } = await shown(policy);
      if (element.state !== 'closed')
        await new Promise((resolve) => element.addEventListener('disconnect', resolve));
      await element.updateComplete;
      const panel = element.shadowRoot?.querySelector('[part=panel]');
      equal(panel?.querySelector('.title')?.textContent, 'Cannot connect');
      const detail = panel?.querySelector('.detail')?.textContent ?? '';
      ok(detail.includes(`allow ${ADDRESS} in connect-src`), detail);
      const error = await element.connect().catch((reason: unknown) => reason as Error);
      ok(error?.message.includes(`allow ${ADDRESS} in connect-src`), error?.message);
      frame.remove();
    });

  it('fails at once for a viewer without an element too', async () => {
    const module = `import { createViewer } from '/src/viewer/index.ts';
      const [container, embedUrl] = [document.body, 'https://session.example/a?token=t'];
      window.failure = createViewer({ container, embedUrl }).connect().catch((error) => error);`;
    const frame = await opened("connect-src 'self'", module);
    const { failure } = frame.contentWindow as unknown as { failure: Promise<DisconnectedError> };
    const { reason, message } = await failure;
    equal(reason, 'unsupported');
    ok(message.includes(`allow ${ADDRESS} in connect-src`), message);
    frame.remove();
  });
});
