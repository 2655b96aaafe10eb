/**
 * The part of Chrome's extension API that the project's extensions use. Source: developer.chrome.com, "API
 * reference".
 */
declare namespace chrome {
  namespace bookmarks {
    interface BookmarkTreeNode {
      id: string;
    }
    function create(bookmark: { parentId?: string; title: string; url?: string }): Promise<BookmarkTreeNode>;
  }
  namespace downloads {
    function setUiOptions(options: { enabled: boolean }): Promise<void>;
  }
  namespace runtime {
    function getURL(path: string): string;
  }
  namespace storage {
    interface StorageArea {
      get(key: string): Promise<Record<string, unknown>>;
      set(items: Record<string, unknown>): Promise<void>;
    }
    const session: StorageArea;
  }
  /**
   * Called with arguments from other code, so only the names matter here. Chrome itself checks the arguments.
   */
  const tabs: Record<
    import('cloud-browser/protocol').TabEventName,
    { addListener(listener: (...args: unknown[]) => void): void }
  > &
    Record<import('cloud-browser/protocol').TabMethod, (...args: unknown[]) => Promise<unknown>>;
  namespace windows {
    interface Window {
      /** `normal`, `popup` and others. */
      type?: string;
      id?: number;
      focused: boolean;
      /** Present if they were requested. */
      tabs?: import('cloud-browser/protocol').Tab[];
    }
    function getAll(properties: { populate: true; windowTypes: ['normal'] }): Promise<Window[]>;
    function get(windowId: number): Promise<Window>;
    function create(properties: { tabId: number; type: 'popup' }): Promise<Window>;
  }
  namespace webNavigation {
    interface Frame {
      /** 0: the page itself. */
      frameId: number;
      processId: number;
    }
    function getAllFrames(properties: { tabId: number }): Promise<Frame[] | null>;
  }
  namespace webRequest {
    interface AuthDetails {
      isProxy: boolean;
      requestId: string;
    }
    interface AuthResponse {
      authCredentials?: { username: string; password: string };
    }
    const onAuthRequired: {
      addListener(
        listener: (details: AuthDetails, answer: (response: AuthResponse) => void) => void,
        filter: { urls: string[] },
        extra: ['asyncBlocking'],
      ): void;
    };
  }
}

declare namespace chrome {
  /** Used only to find the tab of a DevTools protocol target. */
  const targets: { getTargets(): Promise<{ id: string; tabId?: number }[]> };
  // `debugger` is a reserved word.
  export { targets as debugger };
}
