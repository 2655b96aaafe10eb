/**
 * Prints facts of the code as JSON: the description of the REST API, and the sentences of its refusals. Runs
 * under tsx.
 */
import { ERROR_CODES, ServiceError } from '../server/src/service-error.ts';
import { createTestService } from '../test/fakes/test-service.ts';

const service = await createTestService();
const { body } = await service.app.inject('/openapi.json');
await service.close();

/** Placeholder for a detail in a sentence. */
const DETAIL = '…';
const errors = ERROR_CODES.map((code) => {
  const { status, message } = new ServiceError(code, DETAIL, DETAIL);
  return { code, status, message };
});
process.stdout.write(JSON.stringify({ openapi: JSON.parse(body), errors }));
