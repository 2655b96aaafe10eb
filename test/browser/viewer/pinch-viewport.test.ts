import { missingForPinch } from '../../../src/viewer/picture/pinch-viewport.js';
import { equal } from '../support/assert.js';

describe('the viewport of a page whose session has pinch', () => {
  const page = (content?: string): Document => {
    const made = document.implementation.createHTMLDocument();
    if (content === undefined) return made;
    const tag = made.createElement('meta');
    tag.name = 'viewport';
    tag.content = content;
    made.head.append(tag);
    return made;
  };
  const ALL = ['width=device-width', 'initial-scale=1', 'maximum-scale=1', 'user-scalable=no'];

  it('is right as the documentation has it, in any spelling', () => {
    equal(missingForPinch(page(ALL.join(', '))), []);
    equal(
      missingForPinch(page('WIDTH = device-width;initial-scale=1.0;maximum-scale=1.0;user-scalable=0')),
      [],
    );
  });

  it('lacks what its tag does not say', () => {
    equal(missingForPinch(page()), ALL);
    equal(missingForPinch(page('width=device-width, initial-scale=1')), [
      'maximum-scale=1',
      'user-scalable=no',
    ]);
    equal(missingForPinch(page('width=device-width, initial-scale=1, maximum-scale=5, user-scalable=yes')), [
      'maximum-scale=1',
      'user-scalable=no',
    ]);
  });

  it('need not say that fingers do not zoom where the page takes no gesture of theirs', () => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const inner = frame.contentDocument;
    if (!inner) throw new Error('The frame has no document.');
    const tag = Object.assign(inner.createElement('meta'), { name: 'viewport' });
    tag.content = 'width=device-width, initial-scale=1';
    inner.head.append(tag);
    equal(missingForPinch(inner), ['maximum-scale=1', 'user-scalable=no']);
    inner.documentElement.style.touchAction = 'none';
    equal(missingForPinch(inner), []);
    tag.content = 'initial-scale=1';
    equal(missingForPinch(inner), ['width=device-width']);
    frame.remove();
  });

  it('is that of the last tag', () => {
    const both = page(ALL.join(', '));
    both.head.append(Object.assign(both.createElement('meta'), { name: 'viewport', content: 'width=500' }));
    equal(missingForPinch(both), ALL);
  });
});
