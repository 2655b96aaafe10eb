import '../../../src/element/define.js';
import '../../../src/replay/define.js';
import { equal } from '../support/assert.js';

describe('the elements in a simulated DOM for tests, such as happy-dom', () => {
  const { prototype } = HTMLElement;
  const own = Object.getOwnPropertyDescriptor(prototype, 'attachInternals') ?? {};
  beforeEach(() => Reflect.deleteProperty(prototype, 'attachInternals'));
  afterEach(() => Object.defineProperty(prototype, 'attachInternals', own));

  for (const name of ['cloud-browser', 'cloud-browser-replay'] as const)
    it(`do not need internals: ${name}`, async () => {
      const element = document.createElement(name);
      document.body.append(element);
      await element.updateComplete;
      equal(element.state, 'idle');
      element.remove();
    });
});
