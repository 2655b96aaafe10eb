import '../../../src/element/define.js';
import { CallError } from '../../../src/core/index.js';
import { FileWords } from '../../../src/element/files/file-words.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import type {
  CallErrorCode,
  Download,
  FileChooser,
  Role,
  SessionEvents,
  SessionUser,
} from '../../../src/protocol/index.js';
import { equal, ok } from '../support/assert.js';
import { connectElement } from '../support/connected-element.js';
import { FakeNetwork } from '../support/fake-web-socket.js';

const CHOOSER: FileChooser = { id: 'asked', multiple: true, directory: false, accept: '', timeout: 300_000 };
const TOO_LARGE = 'film.mp4 is too large: a file may have 100 MB.';

const DOWNLOAD: Download = {
  ...{ id: 'film', name: 'film.mp4', kind: 'download', size: 4, received: 4, state: 'done' },
};
const user = (...roles: Role[]): SessionUser => ({
  ...{ id: 'user-1', kind: 'person', roles, connectedAt: '', controlling: true },
  permissions: { priority: 0, idle_timeout: 0, control_disabled: false },
});

describe('refused files of <cloud-browser>', () => {
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

  it('names the limit in English, and has a sentence in German', async () => {
    const messages = [
      ['err_file_too_large', TOO_LARGE],
      ['err_file_quota', 'The session has no room for these files: 3 MB are left.'],
      ['err_file_quota', 'At most 1000 files at once. Send fewer, or an archive.'],
    ] as const;
    const details = () => [...(list()?.querySelectorAll('.detail') ?? [])].map((each) => each.textContent);
    tell('files.onChooser', CHOOSER);
    await shown(() => labels().includes('Choose files'));
    for (const [index, [code, message]] of messages.entries()) {
      refuse(await choose(), code, message);
      await shown(() => details().length === index + 1 && labels().includes('Choose files'));
    }
    equal(
      details(),
      messages.map(([, message]) => message),
    );
    const { words } = element;
    element.lang = 'de';
    await shown(() => words.say('dismiss') === 'Ausblenden');
    const error = new CallError('err_file_too_large', TOO_LARGE);
    equal(
      new FileWords(words).failure(error, 'upload'),
      'Eine Datei ist zu groß für diese Sitzung. Eine kleinere senden.',
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

  /** Opens the list, which is folded while nobody has caused a download. */
  const unfold = async () => {
    const button = () => element.shadowRoot?.querySelector<HTMLElement>('.unfold');
    await shown(() => Boolean(button()));
    button()?.click();
  };

  it('removes the downloads of a user who may not fetch them, until the user may again', async () => {
    const lists = () => network.host.last.of('call').filter(({ method }) => method === 'files.list');
    const listed = async (count: number) => {
      await shown(() => lists().length === count);
      return lists().at(-1)?.id ?? 0;
    };
    network.host.last.send({ type: 'answer', id: await listed(1), result: [DOWNLOAD] });
    await unfold();
    await shown(() => labels().includes('Save: film.mp4'));
    tell('users.onChanged', { ...user(), id: 'user-2' });
    tell('users.onChanged', user('file_download', 'control'));
    tell('users.onChanged', user('control'));
    refuse(await listed(2), 'err_forbidden', 'No.');
    await shown(() => labels().length === 0);
    tell('users.onChanged', user());
    tell('users.onChanged', user('file_download'));
    network.host.last.send({ type: 'answer', id: await listed(3), result: [DOWNLOAD] });
    await unfold();
    await shown(() => labels().includes('Save: film.mp4'));
  });

  it('shows the downloads again after the privacy mode of another user', async () => {
    const lists = () => network.host.last.of('call').filter(({ method }) => method === 'files.list');
    await shown(() => lists().length === 1);
    network.host.last.send({ type: 'privacy', userId: 'user-2' });
    refuse(lists()[0]?.id ?? 0, 'err_forbidden', 'Another user is in privacy mode.');
    // The call rejects in a task of its own.
    await new Promise(requestAnimationFrame);
    network.host.last.send({ type: 'privacy', userId: null });
    await shown(() => lists().length === 2);
    network.host.last.send({ type: 'answer', id: lists()[1]?.id ?? 0, result: [DOWNLOAD] });
    await unfold();
    await shown(() => labels().includes('Save: film.mp4'));
  });
});
