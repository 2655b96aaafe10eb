import AjvCompiler, { type BuildCompilerFromPool } from '@fastify/ajv-compiler';
import SerializerCompiler, { type SerializerFactory } from '@fastify/fast-json-stringify-compiler';

/** Returns a compiler that compiles the same route once. */
function once<Route, Code>(compiled: Map<string, Code>, compile: (route: Route) => Code) {
  return (route: Route): Code => {
    const key = JSON.stringify(route);
    const code = compiled.get(key) ?? compile(route);
    compiled.set(key, code);
    return code;
  };
}

const buildValidator = AjvCompiler();
const buildSerializer = SerializerCompiler();
const checks = new Map<string, ReturnType<ReturnType<typeof buildValidator>>>();
const writers = new Map<string, ReturnType<ReturnType<typeof buildSerializer>>>();

/**
 * Compilers for fakes that make many services in one process. The schemas of a route are compiled for the
 * first service alone, because this takes most of the time that a service needs to start.
 */
export const sharedValidators: BuildCompilerFromPool = (schemas, options) =>
  once(checks, buildValidator(schemas, options));

/** The same for the answers of a route. */
export const sharedSerializers: SerializerFactory = (schemas, options) =>
  once(writers, buildSerializer(schemas, options));
