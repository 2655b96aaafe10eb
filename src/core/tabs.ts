import type { Tab, TabPlace } from '../protocol/index.js';
import { RemoteMethods, type RemoteMethod } from './remote.js';
import { RemoteListeners } from './remote-listeners.js';

/**
 * The tabs of the hosted browser: the methods and events of Chrome's `chrome.tabs` under their own names. They need the role
 * `chrome_apis` or the admin token. Methods reject as `remote.call` does; what Chrome refuses has the code `err_chrome` and
 * Chrome's own message.
 */
export class Tabs extends RemoteMethods {
  readonly onActivated = new RemoteListeners(this.remote, 'tabs.onActivated');
  readonly onCreated = new RemoteListeners(this.remote, 'tabs.onCreated');
  readonly onHighlighted = new RemoteListeners(this.remote, 'tabs.onHighlighted');
  readonly onMoved = new RemoteListeners(this.remote, 'tabs.onMoved');
  readonly onRemoved = new RemoteListeners(this.remote, 'tabs.onRemoved');
  readonly onReplaced = new RemoteListeners(this.remote, 'tabs.onReplaced');
  readonly onUpdated = new RemoteListeners(this.remote, 'tabs.onUpdated');
  readonly onZoomChange = new RemoteListeners(this.remote, 'tabs.onZoomChange');
  /** Events may have been missed, and after a restart of the browser tabs have other numbers: ask again. */
  readonly onReconnected = new RemoteListeners(this.remote, 'tabs.onReconnected');

  readonly create = this.method('tabs.create');
  /** The language of the page, such as `en`; `und` when it cannot be told. */
  readonly detectLanguage = this.method('tabs.detectLanguage');
  /** Frees a tab's memory; it gets another number, see `onReplaced`. Without a number Chrome chooses the tab. */
  readonly discard = this.method('tabs.discard');
  readonly duplicate = this.method('tabs.duplicate');
  readonly get = this.method('tabs.get');
  /** 1 is 100 %. */
  readonly getZoom = this.method('tabs.getZoom');
  readonly getZoomSettings = this.method('tabs.getZoomSettings');
  readonly goBack = this.method('tabs.goBack');
  readonly goForward = this.method('tabs.goForward');
  /** Resolves to the number of the group. */
  readonly group = this.method('tabs.group');
  /** `tabs` are places in the window, from 0. */
  readonly highlight = this.method('tabs.highlight');
  /** Resolves to one tab for one number. */
  readonly move = this.method('tabs.move') as ((tabId: number, to: TabPlace) => Promise<Tab>) &
    RemoteMethod<'tabs.move'>;
  readonly query = this.method('tabs.query');
  readonly reload = this.method('tabs.reload');
  readonly remove = this.method('tabs.remove');
  /** 0 is the default zoom. */
  readonly setZoom = this.method('tabs.setZoom');
  readonly setZoomSettings = this.method('tabs.setZoomSettings');
  readonly ungroup = this.method('tabs.ungroup');
  /**
   * `{ active: true }` brings a tab to the front, `{ url }` goes somewhere. Rejects with `err_dialog_open` or
   * `err_page_unresponsive` when the page does not let go; `{ url, force: true }` gets past it.
   */
  readonly update = this.method('tabs.update');
}
