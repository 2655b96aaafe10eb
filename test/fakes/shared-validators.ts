import AjvCompiler, { type BuildCompilerFromPool } from '@fastify/ajv-compiler';

const build = AjvCompiler();
const compiled = new Map<string, ReturnType<ReturnType<typeof build>>>();

/**
 * For fakes that make many services in one process: the checks of a route's schemas are compiled for the
 * first of them alone, which takes most of the time that a service takes to be there.
 */
export const sharedValidators: BuildCompilerFromPool = (schemas, options) => {
  const compile = build(schemas, options);
  return (route) => {
    const key = JSON.stringify(route);
    const check = compiled.get(key) ?? compile(route);
    compiled.set(key, check);
    return check;
  };
};
