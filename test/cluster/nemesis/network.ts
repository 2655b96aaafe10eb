import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Prefix of all names created here. The process id follows it. */
const MARK = 'cbnem';

/** A machine of a {@link Network}. */
export interface Machine {
  readonly name: string;
  /** Its IPv4 address. */
  readonly host: string;
  /** Command that runs another command there, with `exec`. */
  readonly prefix: readonly string[];
}

/**
 * Machines as network namespaces. Their bridge is in another namespace, which also contains this process.
 * Requires root. Packets between two machines can be dropped silently, as on an interrupted line.
 */
export class Network {
  readonly #machines: Machine[] = [];
  readonly #subnet: string;
  readonly #name: string;
  readonly #removeAtExit = () => this.#remove();

  private constructor(number: number) {
    this.#name = `${MARK}${process.pid}-${number}`;
    this.#subnet = `10.${200 + (number % 50)}.${process.pid % 250}`;
  }

  static #count = 0;

  /** Opens a network. Rejects with a message that names the missing condition. */
  static async open(): Promise<Network> {
    if (process.getuid?.() !== 0) throw new Error('Network namespaces take root: run it as root.');
    removeForgotten();
    const network = new Network((Network.#count += 1));
    process.once('exit', network.#removeAtExit);
    try {
      const bridge = network.#name;
      await ip('netns', 'add', bridge);
      await ip('-n', bridge, 'link', 'add', 'name', 'switch', 'type', 'bridge');
      await ip('-n', bridge, 'link', 'set', 'switch', 'up');
      await network.#plug(1);
    } catch (error) {
      await network.close();
      throw error;
    }
    return network;
  }

  async machine(name: string): Promise<Machine> {
    const number = this.#machines.length + 2;
    const space = `${this.#name}-${number}`;
    const machine = {
      ...{ name: space, host: `${this.#subnet}.${number}` },
      prefix: ['ip', 'netns', 'exec', space],
    };
    await ip('netns', 'add', space);
    this.#machines.push(machine);
    await this.#plug(number, space);
    await ip('-n', space, 'link', 'set', 'lo', 'up');
    await run('ip', ['netns', 'exec', space, 'nft', 'add table inet nemesis']);
    for (const hook of ['input', 'output'])
      await nft(machine, `add chain inet nemesis ${hook} { type filter hook ${hook} priority 0; }`);
    return { ...machine, name };
  }

  /** Drops all packets between two machines, in both directions. */
  async cut(one: Machine, other: Machine): Promise<void> {
    await nft(one, `add rule inet nemesis input ip saddr ${other.host} drop`);
    await nft(one, `add rule inet nemesis output ip daddr ${other.host} drop`);
  }

  /** Lets all packets through again. */
  async heal(): Promise<void> {
    for (const machine of this.#machines)
      for (const hook of ['input', 'output']) await nft(machine, `flush chain inet nemesis ${hook}`);
  }

  /** Removes all machines. Their processes must have ended before. */
  close(): Promise<void> {
    process.off('exit', this.#removeAtExit);
    this.#remove();
    return Promise.resolve();
  }

  /** Connects the bridge to a namespace, or to this process. */
  async #plug(number: number, space?: string): Promise<void> {
    const outer = `p${number}`;
    const inner = space === undefined ? `nem${process.pid % 100_000}.${Network.#count}` : 'eth0';
    const bridge = this.#name;
    // Created in the target namespace, so that a name is never used twice.
    const at = space === undefined ? [] : ['-n', space];
    await ip(...at, 'link', 'add', 'name', inner, 'type', 'veth', 'peer', 'name', outer, 'netns', bridge);
    await ip('-n', bridge, 'link', 'set', outer, 'master', 'switch', 'up');
    await ip(...at, 'addr', 'add', `${this.#subnet}.${number}/24`, 'dev', inner);
    await ip(...at, 'link', 'set', inner, 'up');
  }

  #remove(): void {
    removeSpaces((name) => name === this.#name || name.startsWith(`${this.#name}-`));
  }
}

async function ip(...args: string[]): Promise<void> {
  await run('ip', args);
}

async function nft({ prefix }: Machine, command: string): Promise<void> {
  const [program = 'ip', ...args] = prefix;
  await run(program, [...args, 'nft', command]);
}

/** Removes the namespaces that a killed run left behind. */
function removeForgotten(): void {
  removeSpaces((name) => {
    const [, pid] = new RegExp(`^${MARK}(\\d+)-`).exec(name) ?? [];
    return pid !== undefined && !existsSync(`/proc/${pid}`);
  });
}

/** The cables are removed with their namespaces. */
function removeSpaces(which: (name: string) => boolean): void {
  const list = execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' });
  for (const line of list.split('\n')) {
    const [name = ''] = line.split(' ');
    if (name !== '' && which(name)) execFileSync('ip', ['netns', 'del', name]);
  }
}
