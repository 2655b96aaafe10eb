import { build, type InlineConfig } from 'vite';

/**
 * Vite's `build`. It writes its mode into the environment of the process, which this function restores for
 * later tests.
 */
export async function viteBuild(config: InlineConfig): ReturnType<typeof build> {
  const { NODE_ENV } = process.env;
  try {
    return await build(config);
  } finally {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = NODE_ENV;
  }
}
