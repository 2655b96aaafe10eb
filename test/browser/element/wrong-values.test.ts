import '../../../src/element/define.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { createViewer } from '../../../src/viewer/index.js';
import { equal, ok } from '../support/assert.js';

const { warn } = console;
let warnings: string[];
const shown = () => {
  const element = document.querySelector('cloud-browser') as CloudBrowserElement;
  return [element.fit, element.resizeMode, element.volume, element.accessibility];
};
const DEFAULTS = ['contain', 'none', 1, 'none'];

describe('wrong values', () => {
  beforeEach(() => {
    warnings = [];
    console.warn = (text: unknown) => void warnings.push(String(text));
  });
  afterEach(() => {
    console.warn = warn;
    document.body.replaceChildren();
  });

  it('of attributes log one warning each and have the effect of the default', async () => {
    document.body.innerHTML =
      '<cloud-browser fit="wrong" resize="yes" volume="loud" accessibility="on" muted="no"></cloud-browser>';
    equal(shown(), DEFAULTS);
    const element = document.querySelector('cloud-browser') as CloudBrowserElement;
    await element.updateComplete;
    const ours = () => warnings.filter((text) => text.startsWith('cloud-browser:'));
    equal(ours().length, 5);
    for (const name of ['fit', 'resize', 'volume', 'accessibility', 'muted'])
      ok(
        ours().some((text) => text.startsWith(`cloud-browser: ${name} is "`)),
        name,
      );
    ok(ours().some((text) => text.includes('"contain", "cover", "fill", "none"')));
    for (const value of ['', 'true', 'false', 'muted']) element.setAttribute('muted', value);
    equal([ours().length, element.muted], [5, true]);
  });

  it('of properties have the effect of the default at once', () => {
    const element = document.body.appendChild(document.createElement('cloud-browser'));
    for (const value of [NaN, 'loud', 7, -1]) {
      element.volume = 0.5;
      Reflect.set(element, 'volume', value);
      equal(element.volume, 1, String(value));
    }
    equal(warnings.filter((text) => text.includes('volume')).length, 4);
    for (const value of [null, undefined])
      for (const name of ['volume', 'fit', 'resizeMode', 'accessibility']) Reflect.set(element, name, value);
    equal(shown(), DEFAULTS);
    equal(warnings.filter((text) => text.startsWith('cloud-browser:')).length, 4);
    element.setAttribute('volume', '0.25');
    equal(element.volume, 0.25);
  });

  it('of switches as properties are read as the attributes are', () => {
    const element = document.body.appendChild(document.createElement('cloud-browser'));
    const names = ['viewOnly', 'videoPaused', 'muted', 'delegateKeyboard', 'keyboardButton'] as const;
    for (const name of names) {
      const read = (value: unknown) => {
        Reflect.set(element, name, value);
        return element[name];
      };
      equal(['false', 'true', '', 'no', null, 1, 0].map(read), [false, true, true, true, false, true, false]);
    }
    const ours = warnings.filter((text) => text.startsWith('cloud-browser:'));
    equal(
      ours,
      names.map((name) => `cloud-browser: ${name} is "no". Use true or false. It counts as true.`),
    );
  });

  it('of a viewer’s options and properties have the effect of the default', () => {
    const options = { fit: 'wrong', resize: 'yes', keyboard: 'all', whenHidden: 'stop', volume: NaN };
    const viewer = createViewer({
      ...(options as object),
      container: document.body.appendChild(document.createElement('div')),
      embedUrl: 'https://host.example/a?token=t',
    });
    equal(warnings.length, 5);
    equal([viewer.fit, viewer.resizeMode, viewer.keyboard, viewer.volume], ['contain', 'none', 'surface', 1]);
    Reflect.set(viewer, 'fit', 'stretch');
    equal([viewer.fit, warnings.length], ['contain', 6]);
    viewer.close();
  });
});
