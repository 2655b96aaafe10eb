import { missingForPinch } from '../../../src/viewer/picture/pinch-viewport.js';
import { equal } from '../support/assert.js';

describe('the check of the viewport tag for a session with pinch', () => {
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

  it('accepts the tag of the documentation in any spelling', () => {
    equal(missingForPinch(page(ALL.join(', '))), []);
    equal(
      missingForPinch(page('WIDTH = device-width;initial-scale=1.0;maximum-scale=1.0;user-scalable=0')),
      [],
    );
  });

  it('lists the missing settings', () => {
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

  it("does not require a zoom limit if the page's CSS already prevents touch gestures", () => {
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

  it('uses the last tag', () => {
    const both = page(ALL.join(', '));
    both.head.append(Object.assign(both.createElement('meta'), { name: 'viewport', content: 'width=500' }));
    equal(missingForPinch(both), ALL);
  });
});
