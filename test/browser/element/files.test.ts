import axe from './axe.js';
import '../../../src/element/define.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import {
  MAX_FILES,
  type Download,
  type FileChooser,
  type SessionEvents,
} from '../../../src/protocol/index.js';
import { FileDropEvent } from '../../../src/element/files/file-events.js';
import { FileLink } from '../../../src/element/files/file-link.js';
import { droppedFiles } from '../../../src/element/files/local-files.js';
import type { Viewer } from '../../../src/viewer/index.js';
import { equal, ok } from '../support/assert.js';
import { connectElement } from '../support/connected-element.js';
import { nextEvent } from '../support/events.js';
import { FakeNetwork, sendPacket } from '../support/fake-web-socket.js';
import { GREEN, h264Packets, streamInfo } from '../support/packets.js';

const CHOOSER: FileChooser = { id: 'asked', multiple: true, directory: false, accept: '', timeout: 300_000 };
const download = (name: string, fields: Partial<Download> = {}): Download => ({
  ...{ id: name, name, kind: 'download', size: 4_000_000, received: 1_000_000, state: 'running' },
  ...fields,
});

/** A file of a dropped folder. Without content, it cannot be read. */
const fakeFile = (name: string, content: File | undefined) => ({
  ...{ isFile: true, isDirectory: false, name, fullPath: `/photos/${name}` },
  file: (read: (file: File) => void, fail: (error: unknown) => void) =>
    content ? read(content) : fail(new DOMException('', 'NotReadableError')),
});

/** A dropped folder. Without content, it cannot be read. */
const fakeFolder = (name: string, content: unknown[] | undefined) => ({
  ...{ isFile: false, isDirectory: true, name, fullPath: `/${name}` },
  createReader: () => ({
    readEntries: (read: (entries: unknown[]) => void, fail: (error: unknown) => void) =>
      content ? read(content.splice(0)) : fail(new DOMException('', 'NotReadableError')),
  }),
});

describe('the list of files of <cloud-browser>', () => {
  let network: FakeNetwork;
  let element: CloudBrowserElement;

  beforeEach(async () => {
    network = new FakeNetwork();
    element = await connectElement(network);
  });

  afterEach(() => {
    element.remove();
    network.restore();
    Reflect.deleteProperty(navigator, 'userActivation');
  });

  /** Sets if the user has just acted on the page. */
  const setActive = (isActive: boolean) =>
    void Object.defineProperty(navigator, 'userActivation', { value: { isActive }, configurable: true });
  const unfold = () => list()?.querySelector<HTMLElement>('.unfold') ?? undefined;
  const list = () => element.shadowRoot?.querySelector<HTMLElement>('[part=files]') ?? undefined;
  const textOf = (selector: string) =>
    [...(list()?.querySelectorAll(selector) ?? [])].map(({ textContent }) =>
      textContent.replace(/\s+/g, ' ').trim(),
    );
  const tell = <Name extends keyof SessionEvents>(name: Name, ...args: SessionEvents[Name]) =>
    network.host.last.send({ type: 'event', name, args });
  const shown = async (holds: () => boolean) => {
    while (!holds()) await new Promise(requestAnimationFrame);
  };
  const rows = (count: number) => shown(() => textOf('li').length === count);
  const fill = async () => {
    tell('files.onChooser', CHOOSER);
    tell('files.onDownload', download('done.pdf', { state: 'done', received: 4_000_000 }));
    tell('files.onDownload', download('full.zip', { state: 'failed', failure: 'quota' }));
    tell('files.onDownload', download('page.pdf', { kind: 'print', size: null, received: 0 }));
    tell('files.onDownload', download('film.mp4'));
    await rows(5);
  };

  it('is hidden without files', () => {
    equal(list()?.offsetHeight, 0);
  });

  it('shows the state of each file, the possible actions and a full session', async () => {
    await fill();
    equal(textOf('.detail'), [
      'Downloading · 1.0 MB / 4.0 MB',
      'Printing · 0 bytes',
      'The session has no room for it. Remove other files.',
      'Ready · 4.0 MB',
    ]);
    const buttons = [...(list()?.querySelectorAll('button') ?? [])].map(({ ariaLabel }) => ariaLabel);
    equal(buttons, [
      'Hide the list of files',
      'Choose files',
      'Cancel: The page asks for files.',
      'Cancel: film.mp4',
      'Cancel: page.pdf',
      'Remove: full.zip',
      'Save: done.pdf',
      'Remove: done.pdf',
    ]);
  });

  it('passes the accessibility checker, and announces changes to screen readers', async () => {
    await fill();
    equal((await axe.run(element)).violations, []);
    const spoken = list()?.querySelector('[role=status]');
    tell('files.onDownload', download('film.mp4', { state: 'done', received: 4_000_000 }));
    await shown(() => spoken?.textContent === 'film.mp4: Ready');
  });

  it('handles its own keys and does not send them to the remote browser', async () => {
    await fill();
    element.delegateKeyboard = true;
    await element.updateComplete;
    const sent = network.host.last.inputs.length;
    const cancel = list()?.querySelector<HTMLElement>('[aria-label="Cancel: film.mp4"]');
    cancel?.focus();
    ok(cancel?.matches(':focus-within'));
    cancel?.dispatchEvent(
      new KeyboardEvent('keydown', { code: 'Space', key: ' ', bubbles: true, composed: true }),
    );
    equal(network.host.last.inputs.length, sent);
    cancel?.click();
    equal(
      network.host.last
        .of('call')
        .map(({ method, args }) => [method, args])
        .at(-1),
      ['files.cancel', ['film.mp4']],
    );
    tell('files.onRemoved', 'film.mp4');
    await rows(4);
  });

  it('keeps a download that could not be saved, unless the session has it no longer', async () => {
    await fill();
    const save = () => list()?.querySelector<HTMLElement>('[aria-label="Save: done.pdf"]')?.click();
    const refuse = async (code: 'err_call_failed' | 'err_download_gone', nth: number) => {
      const tickets = () => network.host.last.of('call').filter(({ method }) => method === 'files.ticket');
      save();
      await shown(() => tickets().length === nth);
      const id = tickets().at(-1)?.id ?? 0;
      network.host.last.send({ type: 'answer', id, error: { code, message: 'No.' } });
    };
    await refuse('err_call_failed', 1);
    await shown(() => list()?.querySelector('[role=status]')?.textContent.startsWith('done.pdf: ') === true);
    ok(textOf('.detail').includes('Ready · 4.0 MB'));
    await refuse('err_download_gone', 2);
    await rows(4);
  });

  it('appears again when a page asks again after the user has hidden it', async () => {
    tell('files.onChooser', CHOOSER);
    await rows(1);
    list()?.querySelector<HTMLElement>('[aria-label="Hide the list of files"]')?.click();
    await rows(0);
    tell('files.onChooser', { ...CHOOSER, id: 'again' });
    await rows(2);
  });

  it('is folded to a button for downloads that no action of the user has caused', async () => {
    setActive(false);
    tell('files.onDownload', download('a.pdf'));
    tell('files.onDownload', download('b.pdf'));
    await shown(() => unfold()?.textContent.trim() === '2 files');
    equal([textOf('li').length, unfold()?.ariaExpanded], [0, 'false']);
    const { width = 0, height = 0 } = list()?.getBoundingClientRect() ?? {};
    ok(width > 0 && width < 150 && height > 0 && height < 50, `${width} × ${height}`);
    equal((await axe.run(element)).violations, []);
    setActive(true);
    tell('files.onDownload', download('b.pdf', { state: 'done', received: 4_000_000 }));
    await shown(() => textOf('[role=status]')[0] === 'b.pdf: Ready');
    equal(textOf('li').length, 0);
    unfold()?.focus();
    unfold()?.click();
    equal(textOf('.name'), ['b.pdf', 'a.pdf']);
    ok(element.shadowRoot?.activeElement?.matches('.hide'));
  });

  it('is open for a download that follows an action of the user, until it is empty', async () => {
    setActive(true);
    tell('files.onDownload', download('a.pdf'));
    await rows(1);
    setActive(false);
    tell('files.onDownload', download('b.pdf'));
    await rows(2);
    for (const id of ['a.pdf', 'b.pdf']) tell('files.onRemoved', id);
    await rows(0);
    tell('files.onDownload', download('c.pdf'));
    await shown(() => unfold()?.textContent.trim() === '1 file');
  });

  it('is folded for downloads from before a reconnect, even if the user acts during it', async () => {
    setActive(true);
    const lists = () => network.host.last.of('call').filter(({ method }) => method === 'files.list');
    const opened = network.opened();
    network.host.last.close();
    (await opened).welcome();
    await shown(() => lists().length > 0);
    const result = [download('a.pdf', { state: 'done' }), download('b.pdf', { state: 'done' })];
    network.host.last.send({ type: 'answer', id: lists()[0]?.id ?? 0, result });
    await shown(() => textOf('[role=status]')[0] === 'b.pdf: Ready');
    equal([textOf('li').length, unfold()?.textContent.trim()], [0, '2 files']);
  });

  it('leaves a button when a page starts a download after the user has hidden it', async () => {
    await fill();
    list()?.querySelector<HTMLElement>('.hide')?.click();
    equal([textOf('li').length, unfold()], [0, undefined]);
    setActive(false);
    tell('files.onDownload', download('more.pdf'));
    await shown(() => unfold()?.textContent.trim() === '6 files');
    tell('files.onChooser', { ...CHOOSER, id: 'again' });
    await rows(7);
  });

  it('focuses the button of the newest request', async () => {
    for (const [index, id] of ['older', 'newer'].entries()) {
      tell('files.onChooser', { ...CHOOSER, id });
      await rows(index + 1);
      const row = element.shadowRoot?.activeElement?.closest('li');
      equal(
        [...(list()?.querySelectorAll('li') ?? [])].findIndex((each) => each === row),
        index,
      );
    }
  });

  it('appears for a request whose list could not be loaded at first', async () => {
    const { client, viewer, words } = element;
    ok(client);
    const container = document.createElement('div');
    document.body.append(container);
    const failures: string[] = [];
    let loads = 0;
    const link = new FileLink(
      client,
      {
        fileList: () => container,
        viewer: () => viewer,
        dispatch: () => true,
        report: ({ name }) => failures.push(name),
        words,
      },
      () =>
        ++loads <= 2
          ? Promise.reject(new TypeError('blocked'))
          : import('../../../src/element/files/file-transfers.js'),
    );
    try {
      tell('files.onChooser', CHOOSER);
      await shown(() => container.querySelectorAll('li').length === 1);
      equal([loads, failures], [3, ['NotLoadedError']]);
    } finally {
      link.close();
      container.remove();
    }
  });

  it('is not loaded for dropped files that are read after the session has changed', async () => {
    const { client, words } = element;
    ok(client);
    let loads = 0;
    let drop: (() => void) | undefined;
    const dropped = new Promise<void>((resolve) => (drop = resolve));
    const link = new FileLink(
      client,
      {
        fileList: () => undefined,
        viewer: () => ({ viewOnly: false, toRemote: () => ({ x: 1, y: 1 }) }) as unknown as Viewer,
        dispatch: ({ type }) => {
          if (type === 'filedrop') drop?.();
          return true;
        },
        report: () => undefined,
        words,
      },
      () => {
        loads++;
        return import('../../../src/element/files/file-transfers.js');
      },
    );
    let read: ((file: File) => void) | undefined;
    const file = { ...fakeFile('sea.jpg', undefined), file: (done: (file: File) => void) => (read = done) };
    const event = new DragEvent('drop', { cancelable: true });
    const items = [{ webkitGetAsEntry: () => fakeFolder('photos', [file]) }];
    Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], items, files: [] } });
    link.dropped(event);
    await shown(() => read !== undefined);
    link.close();
    read?.(new File(['sea'], 'sea.jpg'));
    await dropped;
    equal(loads, 0);
  });

  it('reads dropped files whose code could not be loaded at first', async () => {
    const { client, words } = element;
    ok(client);
    const reports: string[] = [];
    const dropped: string[] = [];
    let loads = 0;
    const host = {
      fileList: () => undefined,
      viewer: () => ({ viewOnly: false, toRemote: () => ({ x: 1, y: 1 }) }) as unknown as Viewer,
      dispatch: (event: Event) => {
        if (event instanceof FileDropEvent) dropped.push(...event.files.map(({ name }) => name));
        return false;
      },
      report: ({ name }: Error) => reports.push(name),
      words,
    };
    const link = new FileLink(client, host, undefined, () =>
      ++loads <= 1
        ? Promise.reject(new TypeError('blocked'))
        : import('../../../src/element/files/local-files.js'),
    );
    const drop = (name: string) => {
      const event = new DragEvent('drop', { cancelable: true });
      const files = [new File(['sea'], name)];
      Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], items: [], files } });
      link.dropped(event);
    };
    try {
      drop('first.jpg');
      drop('second.jpg');
      await shown(() => dropped.length === 2);
      drop('third.jpg');
      await shown(() => dropped.length === 3);
      equal(dropped, ['first.jpg', 'second.jpg', 'third.jpg']);
      equal([loads, reports], [2, []]);
    } finally {
      link.close();
    }
  });

  it('shows every request that came while it was loaded, after many changes of the element', async () => {
    const { client, viewer, words } = element;
    ok(client);
    const container = document.body.appendChild(document.createElement('div'));
    let arrive: (() => void) | undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const host = { fileList: () => container, viewer: () => viewer, dispatch: () => true, words };
    const link = new FileLink(client, { ...host, report: () => undefined }, async () => {
      await arrived;
      return import('../../../src/element/files/file-transfers.js');
    });
    try {
      tell('files.onChooser', CHOOSER);
      for (let update = 0; update < 1_000; update++) link.show();
      tell('files.onChooser', { ...CHOOSER, id: 'second' });
      arrive?.();
      await shown(() => container.querySelector('li') !== null);
      equal(container.querySelectorAll('li').length, 2);
    } finally {
      link.close();
      container.remove();
    }
  });

  it('uploads the readable files of a dropped folder, and names the unreadable ones', async () => {
    const resized = nextEvent(element, 'resize');
    network.host.last.send(streamInfo());
    for (const packet of await h264Packets([GREEN])) sendPacket(network.host.last, packet);
    await resized;
    const dropped: string[] = [];
    element.addEventListener('filedrop', ({ files }) => dropped.push(...files.map(({ name }) => name)));
    const folder = fakeFolder('photos', [
      fakeFile('locked.jpg', undefined),
      fakeFile('sea.jpg', new File(['sea'], 'sea.jpg')),
      fakeFolder('private', undefined),
    ]);
    const surface = element.shadowRoot?.querySelector('[part=surface]');
    const canvas = surface?.querySelector('canvas')?.getBoundingClientRect();
    ok(surface && canvas);
    const at = { clientX: canvas.left + canvas.width / 2, clientY: canvas.top + canvas.height / 2 };
    const drop = new DragEvent('drop', { ...at, cancelable: true });
    const items = [{ webkitGetAsEntry: () => folder }];
    Object.defineProperty(drop, 'dataTransfer', { value: { types: ['Files'], items, files: [] } });
    surface.dispatchEvent(drop);
    await rows(2);
    equal(dropped, ['sea.jpg']);
    equal(textOf('.name'), ['2 files', 'sea.jpg']);
    equal(textOf('.detail')[0], 'The file could not be sent. Try again.');
    equal((await axe.run(element)).violations, []);
  });

  it('says that an upload waits while the client connects again', async () => {
    const resized = nextEvent(element, 'resize');
    network.host.last.send(streamInfo());
    for (const packet of await h264Packets([GREEN])) sendPacket(network.host.last, packet);
    await resized;
    const surface = element.shadowRoot?.querySelector('[part=surface]');
    const canvas = surface?.querySelector('canvas')?.getBoundingClientRect();
    ok(surface && canvas);
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['sea'], 'sea.jpg'));
    const at = { clientX: canvas.left + canvas.width / 2, clientY: canvas.top + canvas.height / 2 };
    surface.dispatchEvent(new DragEvent('drop', { ...at, cancelable: true, dataTransfer }));
    const says = (text: string) => shown(() => textOf('.detail')[0] === `${text} · 0 bytes / 3 bytes`);
    const offered = () => network.host.last.of('call').find(({ method }) => method === 'files.offer');
    await shown(() => offered() !== undefined);
    const result = { id: 'upload', tickets: ['ticket'] };
    network.host.last.send({ type: 'answer', id: offered()?.id ?? 0, result });
    await says('Uploading');
    const opened = network.opened();
    network.host.last.close();
    await says('Waiting for the network');
    (await opened).welcome();
    await says('Uploading');
  });

  it('does not silently leave out files of a dropped folder with too many files', async () => {
    const sea = new File(['sea'], 'sea.jpg');
    const folder = fakeFolder(
      'photos',
      Array.from({ length: 1_500 }, (_, index) => fakeFile(`${index}.jpg`, sea)),
    );
    const { files } = await droppedFiles([folder as unknown as FileSystemEntry], []);
    ok(files.length > MAX_FILES, `${files.length}`);
  });

  it('disappears when the connection ends', async () => {
    await fill();
    element.disconnect();
    await shown(() => list()?.offsetHeight === 0);
  });
});
