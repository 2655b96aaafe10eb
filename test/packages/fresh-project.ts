import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, run } from './support.js';

/** Installs like npm for a new user, but without install scripts. */
export const INSTALL = ['install', '--ignore-scripts', '--prefer-offline', '--no-fund', '--no-audit'];
const EXAMPLES = join(ROOT, 'examples');

/** A framework's additions to a fresh Vite project. */
export interface Kind {
  /** The example in the project. */
  name: string;
  /** Examples whose types are checked too. */
  also?: readonly string[];
  /** Packages in addition to Vite, TypeScript and the SDK, in the versions of the examples. */
  packages: readonly string[];
  /** Command that checks the types, templates included. */
  check: readonly string[];
  /** Vite's plugin: how it is imported, from where, and how it is called. */
  plugin?: readonly [imported: string, from: string, called: string];
  /** A wrong use of the element that the type checker must reject, as a file below the example. */
  wrong: readonly [path: string, text: string];
  /** The module that renders on the server. */
  server?: string;
}

/** A separate project outside of the repository, as a new user creates it. */
export class FreshProject {
  private constructor(
    readonly folder: string,
    private readonly kind: Kind,
  ) {}

  /**
   * Writes a project and installs its packages with npm. They have the versions of the examples' lockfile, or
   * with `NEWEST=1` the newest ones.
   *
   * @param sdk the packed SDK
   */
  static async install(folder: string, kind: Kind, sdk: string): Promise<FreshProject> {
    mkdirSync(folder);
    const project = new FreshProject(folder, kind);
    project.#write('package.json', JSON.stringify(manifest(kind, sdk)));
    project.#write('vite.config.ts', viteConfig(kind));
    const shared = ['shared', 'tsconfig.json', ...(kind.name === 'svelte' ? ['svelte.config.js'] : [])];
    const locked = process.env['NEWEST'] === undefined ? ['package-lock.json'] : [];
    for (const part of [kind.name, ...(kind.also ?? []), ...shared, ...locked])
      cpSync(join(EXAMPLES, part), join(folder, part), { recursive: true });
    // The example uses the settings of the project.
    rmSync(join(folder, kind.name, 'tsconfig.json'), { force: true });
    // npm removes unused packages from the lockfile.
    await run('npm', INSTALL, folder);
    return project;
  }

  /** Returns the files with type errors, including files of libraries, after a wrong use was added. */
  async wrongFiles(): Promise<readonly string[]> {
    const [path, text] = this.kind.wrong;
    this.#write(join(this.kind.name, path), text);
    const said = await this.#bin(this.kind.check).catch((error: unknown) => (error as Error).message);
    rmSync(join(this.folder, this.kind.name, path));
    const files = said
      .split('\n')
      .filter((line) => /\berror\b/i.test(line) && !line.includes('COMPLETED'))
      .map((line) => /[\w./-]+\.(?:tsx?|vue|svelte)(?=[":(])/.exec(line)?.[0] ?? line);
    return [...new Set(files)];
  }

  /**
   * Builds the page, and the module that renders on the server if there is one. Rejects with the output of
   * the builder.
   */
  async build(): Promise<void> {
    await this.#bin(['vite', 'build', '--logLevel', 'warn']);
    const { server } = this.kind;
    if (server)
      await this.#bin(['vite', 'build', '--ssr', server, '--outDir', 'dist-server', '--logLevel', 'warn']);
  }

  #write(path: string, text: string): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Runs a program of the installed packages. */
  #bin([name = '', ...args]: readonly string[]): Promise<string> {
    return run(join(this.folder, 'node_modules/.bin', name), args, this.folder);
  }
}

/** The versions in package.json of the examples. */
function versions(): Record<string, string> {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(EXAMPLES, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
  return { ...dependencies, ...devDependencies };
}

function manifest({ name, packages }: Kind, sdk: string): object {
  const wanted = ['vite', 'typescript', '@types/node', ...packages];
  const known = versions();
  return {
    name: `fresh-${name}`,
    private: true,
    type: 'module',
    dependencies: {
      'cloud-browser': `file:${sdk}`,
      ...Object.fromEntries(wanted.map((each) => [each, known[each] ?? 'missing from the examples'])),
    },
  };
}

function viteConfig({ name, plugin }: Kind): string {
  const [imported, from, called] = plugin ?? [];
  return `${plugin ? `import ${imported} from '${from}';\n` : ''}import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [${called ?? ''}],
  build: { rolldownOptions: { input: '${name}/index.html' } },
});
`;
}
