import type { MethodArgs, MethodResult, Tab, TabMethod, TabPlace } from '../protocol/index.js';
import type { Remote } from './remote.js';
import { TabEvent } from './tab-event.js';

/** Calls one method of `chrome.tabs`, with Chrome's arguments and result. */
export type TabCall<Method extends TabMethod> = (
  ...args: MethodArgs<`tabs.${Method}`>
) => Promise<MethodResult<`tabs.${Method}`>>;

/** What the fields of {@link Tabs} are made from, so it has to be there before them. */
class TabsOfRemote {
  /** @internal */
  constructor(protected readonly remote: Remote) {}

  /** What is left out in the middle goes as null, which Chrome takes for left out too. */
  protected method<Method extends TabMethod>(method: Method): TabCall<Method> {
    return (...args) => {
      let { length } = args;
      while (length > 0 && args[length - 1] === undefined) length -= 1;
      return this.remote.forward(`tabs.${method}`, args.slice(0, length));
    };
  }
}

/**
 * The tabs of the hosted browser: the methods and events of Chrome's `chrome.tabs` under their own names. They need the role
 * `chrome_apis` or the admin token. Methods reject as `remote.call` does; what Chrome refuses has the code `err_chrome` and
 * Chrome's own message.
 */
export class Tabs extends TabsOfRemote {
  readonly onActivated = new TabEvent(this.remote, 'onActivated');
  readonly onCreated = new TabEvent(this.remote, 'onCreated');
  readonly onHighlighted = new TabEvent(this.remote, 'onHighlighted');
  readonly onMoved = new TabEvent(this.remote, 'onMoved');
  readonly onRemoved = new TabEvent(this.remote, 'onRemoved');
  readonly onReplaced = new TabEvent(this.remote, 'onReplaced');
  readonly onUpdated = new TabEvent(this.remote, 'onUpdated');
  readonly onZoomChange = new TabEvent(this.remote, 'onZoomChange');
  /** Events may have been missed, and after a restart of the browser tabs have other numbers: ask again. */
  readonly onReconnected = new TabEvent(this.remote, 'onReconnected');

  readonly create = this.method('create');
  /** The language of the page, such as `en`; `und` when it cannot be told. */
  readonly detectLanguage = this.method('detectLanguage');
  /** Frees a tab's memory; it gets another number, see `onReplaced`. Without a number Chrome chooses the tab. */
  readonly discard = this.method('discard');
  readonly duplicate = this.method('duplicate');
  readonly get = this.method('get');
  /** 1 is 100 %. */
  readonly getZoom = this.method('getZoom');
  readonly getZoomSettings = this.method('getZoomSettings');
  readonly goBack = this.method('goBack');
  readonly goForward = this.method('goForward');
  /** Resolves to the number of the group. */
  readonly group = this.method('group');
  /** `tabs` are places in the window, from 0. */
  readonly highlight = this.method('highlight');
  /** Resolves to one tab for one number. */
  readonly move = this.method('move') as ((tabId: number, to: TabPlace) => Promise<Tab>) & TabCall<'move'>;
  readonly query = this.method('query');
  readonly reload = this.method('reload');
  readonly remove = this.method('remove');
  /** 0 is the default zoom. */
  readonly setZoom = this.method('setZoom');
  readonly setZoomSettings = this.method('setZoomSettings');
  readonly ungroup = this.method('ungroup');
  /** `{ active: true }` brings a tab to the front, `{ url }` goes somewhere. */
  readonly update = this.method('update');
}
