import { build, type InlineConfig } from 'vite';

/**
 * Vite's `build`, which names its mode in the environment of the process: files after this one are to find it
 * as it was.
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
