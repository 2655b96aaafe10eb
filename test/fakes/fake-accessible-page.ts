import type { Protocol } from 'devtools-protocol';
import { CdpSession } from '../../server/src/host/browser/cdp/cdp-session.js';
import { DropCounter } from '../../server/src/host/browser/cdp/drop-counter.js';

type AxNode = Protocol.Accessibility.AXNode;

/** A node of the accessibility tree, as a test describes it. */
export interface FakeNode {
  role?: string;
  name?: string;
  value?: string;
  ignored?: boolean;
  inside?: number[];
  /** CDP's properties by their names. */
  says?: Record<string, string | boolean | number>;
  /** Backend id of its element. */
  attributes?: Record<string, string>;
  /** The frame that its element shows. */
  frame?: string;
}

/** A page, or a frame of another process, with the accessibility tree that a test gives it. */
export class FakeAccessiblePage {
  readonly nodes = new Map<number, FakeNode>();
  /** The methods that were called. */
  readonly asked: string[] = [];
  /** Returns true if a command gets no answer. */
  silent: (method: string) => boolean = () => false;
  /** Returns true if the answer to a command exceeds the size limit. */
  tooLarge: (method: string) => boolean = () => false;
  /** The node in the middle of the view. */
  middle: number | undefined;
  /** Returns the page's report of the number of elements inside a node, and inside the largest of them. */
  count = (key: number): unknown => this.#count(key);
  /** The elements over which the page shows a hand. */
  clickable: readonly number[] = [];
  /** The elements with a listener for clicks. */
  listening: readonly number[] = [];
  /** Called before each answer. */
  onAsked: (method: string, key: number | undefined) => void = () => undefined;
  readonly session: CdpSession;
  root = 1;
  /** The parent of each node. */
  readonly #around = new Map<number, number>();
  #last = 0;

  constructor(readonly id = 'page') {
    this.session = new CdpSession(
      {
        drops: new DropCounter(() => undefined),
        write: (method, params) => this.#take(method, params),
      },
      id,
    );
  }

  /** Puts nodes there, by their numbers. */
  add(nodes: Record<number, FakeNode>): this {
    for (const [key, node] of Object.entries(nodes)) {
      this.nodes.set(Number(key), node);
      for (const child of node.inside ?? []) this.#around.set(child, Number(key));
    }
    return this;
  }

  /** Changes nodes and reports the change. */
  change(nodes: Record<number, FakeNode>): void {
    this.add(nodes);
    const told = Object.keys(nodes).flatMap((key) => this.#describe(Number(key)));
    this.tell('Accessibility.nodesUpdated', { nodes: told });
  }

  tell(method: string, params: object): void {
    this.session.take({ method, params: params as never });
  }

  #take(method: string, params: object): number {
    const id = ++this.#last;
    this.asked.push(method);
    const {
      backendNodeId,
      id: family,
      objectId,
      returnByValue,
    } = params as { backendNodeId?: number; id?: string; objectId?: string; returnByValue?: boolean };
    const key = backendNodeId ?? (family === undefined ? undefined : Number(family));
    this.onAsked(method, key);
    if (this.silent(method)) return id;
    if (this.tooLarge(method)) {
      queueMicrotask(() => this.session.passOver(id));
      return id;
    }
    const isSearch = method === 'Runtime.callFunctionOn' && !returnByValue;
    const result = isSearch
      ? { result: { type: 'object', objectId: 'found' } }
      : this.#answer(method, key, objectId);
    queueMicrotask(() =>
      this.session.take(
        result ? { id, result: result as never } : { id, error: { message: 'No node found.' } },
      ),
    );
    return id;
  }

  #answer(method: string, key: number | undefined, objectId?: string): object | undefined {
    const node = key === undefined ? undefined : this.nodes.get(key);
    switch (method) {
      case 'Accessibility.getRootAXNode': {
        const [root] = this.#describe(this.root);
        return root && { node: { ...root, frameId: `frame-${this.id}` } };
      }
      case 'Accessibility.getPartialAXTree':
        return node && key !== undefined ? { nodes: this.#describe(key) } : undefined;
      case 'Accessibility.getChildAXNodes':
        return node && { nodes: [...this.#family(node)] };
      case 'Accessibility.queryAXTree':
        return node && key !== undefined ? { nodes: [...this.#subtree(key)] } : undefined;
      case 'Page.getLayoutMetrics':
        return { cssVisualViewport: { clientWidth: 800, clientHeight: 600, pageX: 0, pageY: 0 } };
      case 'DOM.getNodeForLocation':
        return this.middle === undefined ? undefined : { backendNodeId: this.middle };
      case 'Accessibility.getAXNodeAndAncestors':
        return key !== undefined ? { nodes: this.#describe(key) } : undefined;
      case 'Page.createIsolatedWorld':
        return { executionContextId: 1 };
      case 'DOM.resolveNode':
        return node && { object: { type: 'object', objectId: String(key) } };
      case 'Runtime.callFunctionOn':
        return { result: { type: 'object', value: this.count(Number(objectId)) } };
      case 'DOMDebugger.getEventListeners':
        return { listeners: this.listening.map((backendNodeId) => ({ type: 'click', backendNodeId })) };
      case 'Runtime.getProperties': {
        const members = this.clickable.map((found, index) => ({
          ...{ name: String(index), value: { type: 'object', objectId: String(found) } },
        }));
        return { result: [...members, { name: 'length', value: { type: 'number' } }] };
      }
      case 'DOM.describeNode': {
        if (objectId !== undefined) return { node: { backendNodeId: Number(objectId) } };
        const attributes = Object.entries(node?.attributes ?? {}).flat();
        return node && { node: { attributes, ...(node.frame && { frameId: node.frame }) } };
      }
      default:
        return {};
    }
  }

  /** Returns the number of elements inside an element, and inside its largest child. */
  #count(key: number): [all: number, most: number] {
    const sizes = (this.nodes.get(key)?.inside ?? []).map((child) => this.#count(child)[0] + 1);
    return [sizes.reduce((sum, size) => sum + size, 0), Math.max(0, ...sizes)];
  }

  *#subtree(key: number): Iterable<AxNode> {
    yield* this.#describe(key);
    for (const child of this.nodes.get(key)?.inside ?? []) yield* this.#subtree(child);
  }

  *#family({ inside = [] }: FakeNode): Iterable<AxNode> {
    for (const key of inside) {
      yield* this.#describe(key);
      const child = this.nodes.get(key);
      if (child?.ignored) yield* this.#family(child);
    }
  }

  #describe(key: number): AxNode[] {
    const node = this.nodes.get(key);
    if (!node) return [];
    const { role = 'generic', name, value, ignored = false, inside = [], says = {} } = node;
    const parent = this.#around.get(key);
    const said = (text: string | boolean | number) => ({ type: 'string' as const, value: text });
    return [
      {
        nodeId: String(key),
        backendDOMNodeId: key,
        ignored,
        role: said(role),
        ...(name !== undefined && { name: said(name) }),
        ...(value !== undefined && { value: said(value) }),
        ...(parent !== undefined && { parentId: String(parent) }),
        childIds: inside.map(String),
        properties: Object.entries(says).map(([property, what]) => ({
          name: property as Protocol.Accessibility.AXPropertyName,
          value: said(what),
        })),
      },
    ];
  }
}
