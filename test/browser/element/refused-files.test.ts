import '../../../src/element/define.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import type { CallErrorCode, FileChooser, SessionEvents } from '../../../src/protocol/index.js';
import { equal, ok } from '../support/assert.js';
import { connectElement } from '../support/connected-element.js';
import { FakeNetwork } from '../support/fake-web-socket.js';

const CHOOSER: FileChooser = { id: 'asked', multiple: true, directory: false, accept: '', timeout: 300_000 };
const TOO_LARGE = 'film.mp4 is too large: a file may have 100 MB.';

describe('a refused upload of <cloud-browser>', () => {
  let network: FakeNetwork;
  let element: CloudBrowserElement;

  beforeEach(async () => {
    network = new FakeNetwork();
    element = await connectElement(network);
  });

  afterEach(() => {
    element.remove();
    network.restore();
  });

  const list = () => element.shadowRoot?.querySelector<HTMLElement>('[part=files]') ?? undefined;
  const labels = () => [...(list()?.querySelectorAll('button') ?? [])].map(({ ariaLabel }) => ariaLabel);
  const shown = async (holds: () => boolean) => {
    while (!holds()) await new Promise(requestAnimationFrame);
  };
  const tell = <Name extends keyof SessionEvents>(name: Name, ...args: SessionEvents[Name]) =>
    network.host.last.send({ type: 'event', name, args });
  const offers = () => network.host.last.of('call').filter(({ method }) => method === 'files.offer');
  /** Chooses a file for the page, and waits for the offer of the upload. */
  const choose = async () => {
    const before = offers().length;
    list()?.querySelector<HTMLElement>('[aria-label="Choose files"]')?.click();
    const input = element.shadowRoot?.querySelector<HTMLInputElement>('input[type=file]');
    ok(input);
    const data = new DataTransfer();
    data.items.add(new File(['film'], 'film.mp4'));
    input.files = data.files;
    input.dispatchEvent(new Event('change'));
    await shown(() => offers().length > before);
    return offers().at(-1)?.id ?? 0;
  };
  const refuse = (id: number, code: CallErrorCode, message: string) =>
    network.host.last.send({ type: 'answer', id, error: { code, message } });

  it('leaves the request of the page open for another file', async () => {
    tell('files.onChooser', CHOOSER);
    await shown(() => labels().includes('Choose files'));
    const id = await choose();
    equal(labels().includes('Choose files'), false);
    refuse(id, 'err_file_too_large', TOO_LARGE);
    await shown(() => labels().includes('Remove: film.mp4'));
    ok(labels().includes('Choose files'), labels().join());
    await choose();
    equal(
      offers().map(({ args }) => args[0]),
      [{ chooser: 'asked' }, { chooser: 'asked' }],
    );
  });

  it('does not bring back a request that the page has ended', async () => {
    tell('files.onChooser', CHOOSER);
    await shown(() => labels().includes('Choose files'));
    const id = await choose();
    tell('files.onChooserClosed', CHOOSER.id);
    refuse(id, 'err_call_failed', 'No.');
    await shown(() => labels().includes('Remove: film.mp4'));
    equal(labels().includes('Choose files'), false);
  });
});
