import { EventEmitter } from 'node:events';
import type { Reply } from 'x11';
import type { XConnection } from '../../server/src/host/display/x-client.js';

interface Property {
  type: number;
  format: number;
  data: Buffer;
}

/** The selections and properties of an X server, for the programs of one display that are in this process. */
export class FakeSelections {
  readonly #atoms = new Map<string, number>();
  readonly #programs: FakeProgram[] = [];
  /** Window of the owner of each selection. */
  readonly owners = new Map<number, number>();
  readonly properties = new Map<string, Property>();
  /** Windows that there are, and who wants to hear of their properties. */
  readonly windows = new Map<number, Set<FakeProgram>>();
  #lastWindow = 100;

  program(): FakeProgram {
    const program = new FakeProgram(this);
    this.#programs.push(program);
    return program;
  }

  atom(name: string): number {
    const number = this.#atoms.get(name) ?? this.#atoms.size + 1;
    this.#atoms.set(name, number);
    return number;
  }

  allocate(): number {
    return ++this.#lastWindow;
  }

  ownerOf(window: number): FakeProgram | undefined {
    return this.#programs.find((program) => program.windows.has(window));
  }

  /** Delivers an event in a turn of its own, as a socket does. */
  deliver(program: FakeProgram | undefined, event: { name: string }): void {
    setImmediate(() => program?.x.emit('event', event));
  }

  changed(wid: number, atom: number, state: 0 | 1): void {
    for (const program of this.windows.get(wid) ?? [])
      this.deliver(program, { name: 'PropertyNotify', ...{ wid, atom, state } });
  }
}

/** The requests of one program of such a display, as the host's library has them. */
export class FakeProgram {
  readonly windows = new Set<number>();
  readonly x: EventEmitter;

  constructor(private readonly display: FakeSelections) {
    const answer = <T>(reply: Reply<T>, value: T) => setImmediate(() => reply(null, value));
    const { properties, windows, owners } = display;
    const key = (window: number, property: number) => `${window} ${property}`;
    this.x = Object.assign(new EventEmitter(), {
      AllocID: () => display.allocate(),
      InternAtom: (_: boolean, name: string, reply: Reply<number>) => answer(reply, display.atom(name)),
      CreateWindow: (window: number) => {
        this.windows.add(window);
        windows.set(window, new Set());
      },
      DestroyWindow: (window: number) => {
        this.windows.delete(window);
        windows.delete(window);
      },
      ChangeWindowAttributes: (window: number, { eventMask }: { eventMask: number }) => {
        if (eventMask === 0) windows.get(window)?.delete(this);
        else windows.get(window)?.add(this);
      },
      SetSelectionOwner: (window: number, selection: number) => {
        const before = owners.get(selection);
        owners.set(selection, window);
        if (before !== undefined && before !== window)
          display.deliver(display.ownerOf(before), {
            name: 'SelectionClear',
            ...{ owner: before, selection },
          });
      },
      GetSelectionOwner: (selection: number, reply: Reply<number>) =>
        answer(reply, owners.get(selection) ?? 0),
      ConvertSelection: (
        requestor: number,
        selection: number,
        target: number,
        property: number,
        time: number,
      ) => {
        const owner = owners.get(selection) ?? 0;
        const asked = { requestor, selection, target, time };
        if (owner === 0) display.deliver(this, { name: 'SelectionNotify', ...asked, ...{ property: 0 } });
        else
          display.deliver(display.ownerOf(owner), {
            name: 'SelectionRequest',
            ...asked,
            ...{ owner, property },
          });
      },
      ChangeProperty: (
        _mode: 0,
        window: number,
        property: number,
        type: number,
        format: number,
        value: Buffer | number[],
      ) => {
        if (!windows.has(window)) return;
        const data = Buffer.isBuffer(value) ? value : Buffer.alloc(value.length * 4);
        if (!Buffer.isBuffer(value)) value.forEach((number, index) => data.writeUInt32LE(number, index * 4));
        properties.set(key(window, property), { type, format, data });
        display.changed(window, property, 0);
      },
      GetProperty: (
        remove: 0 | 1,
        window: number,
        property: number,
        _type: number,
        _offset: number,
        units: number,
        reply: Reply<{ type: number; bytesAfter: number; data: Buffer }>,
      ) => {
        const found = properties.get(key(window, property)) ?? { type: 0, data: Buffer.alloc(0) };
        const data = found.data.subarray(0, units * 4);
        const bytesAfter = found.data.length - data.length;
        answer(reply, { type: found.type, bytesAfter, data });
        if (remove === 0 || bytesAfter > 0 || !properties.delete(key(window, property))) return;
        display.changed(window, property, 1);
      },
      SendEvent: (window: number, _propagate: 0, _mask: number, event: { name: string }) =>
        display.deliver(display.ownerOf(window), event),
    });
  }

  get connection(): XConnection {
    return { x: this.x, root: 1 } as unknown as XConnection;
  }
}
