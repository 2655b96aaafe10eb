import type { Tab, TabPlace } from '../../protocol/index.js';
import { RemoteMethods, type RemoteMethod } from './remote.js';
import { RemoteListeners } from './remote-listeners.js';

/**
 * The tabs of the hosted browser: methods and events of Chrome's `chrome.tabs`, with the same names. They
 * need the role `chrome_apis` or the admin token. Methods reject as `remote.call` does. If Chrome refuses,
 * the code is `err_chrome` and the message comes from Chrome.
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
  /**
   * Emitted after a restart of the process that controls the tabs, alone or with the browser. Events directly
   * before it may be missing. After a restart of the browser, tabs have new ids. So query the tabs again.
   */
  readonly onReconnected = new RemoteListeners(this.remote, 'tabs.onReconnected');

  readonly create = this.method('tabs.create');
  /** Returns the language of the page, such as `en`. `und` if it is unknown. */
  readonly detectLanguage = this.method('tabs.detectLanguage');
  /** Frees a tab's memory. The tab gets a new id, see `onReplaced`. Without an id Chrome chooses the tab. */
  readonly discard = this.method('tabs.discard');
  readonly duplicate = this.method('tabs.duplicate');
  readonly get = this.method('tabs.get');
  /** Resolves to the zoom factor. 1 is 100 %. */
  readonly getZoom = this.method('tabs.getZoom');
  readonly getZoomSettings = this.method('tabs.getZoomSettings');
  readonly goBack = this.method('tabs.goBack');
  readonly goForward = this.method('tabs.goForward');
  /** Resolves to the group's id. */
  readonly group = this.method('tabs.group');
  /** Selects tabs. `tabs` are indexes in the window, from 0. */
  readonly highlight = this.method('tabs.highlight');
  /** Moves tabs. Resolves to one tab if called with one id, otherwise to a list. */
  readonly move = this.method('tabs.move') as ((tabId: number, to: TabPlace) => Promise<Tab>) &
    RemoteMethod<'tabs.move'>;
  readonly query = this.method('tabs.query');
  readonly reload = this.method('tabs.reload');
  readonly remove = this.method('tabs.remove');
  /** Sets the zoom factor. 0 is the default zoom. */
  readonly setZoom = this.method('tabs.setZoom');
  readonly setZoomSettings = this.method('tabs.setZoomSettings');
  readonly ungroup = this.method('tabs.ungroup');
  /**
   * `{ active: true }` activates a tab, `{ url }` navigates it. Rejects with `err_dialog_open` or
   * `err_page_unresponsive` if the page blocks the navigation. `{ url, force: true }` navigates anyway.
   */
  readonly update = this.method('tabs.update');
}
