import { FIND_CLICKABLE } from '../../../server/src/host/browser/accessibility/nodes/clickable-elements.js';
import { equal } from './assert.js';

declare global {
  interface Window {
    foundElements?: Element[];
  }
}

describe('the elements over which the pointer is a hand', () => {
  let around: HTMLElement;
  beforeEach(() => {
    around = document.createElement('div');
    document.body.append(around);
  });
  afterEach(() => around.remove());

  /** Returns the ids of the elements that the script finds. */
  function found(content: string): string[] {
    around.innerHTML = `<style>.hand { cursor: pointer }</style>${content}`;
    for (const host of around.querySelectorAll<HTMLElement>('[data-tree]'))
      host.attachShadow({ mode: 'open' }).innerHTML = host.dataset['tree'] ?? '';
    const script = document.createElement('script');
    script.text = `window.foundElements = (${FIND_CLICKABLE}).call(document)`;
    around.append(script);
    return (window.foundElements ?? []).map(({ id }) => id);
  }

  it('are the outermost ones', () => {
    equal(
      found(`<div class=hand id=a>A <b id=b>b</b></div> <p><span class=hand id=c>C</span></p>
        <div style="cursor: auto" id=d>D <i class=hand id=e>E</i></div>
        <div class=hand>F <u style="cursor: auto">G <i class=hand id=h>H</i></u></div>`),
      ['a', 'c', 'e', '', 'h'],
    );
  });

  it('are not links, buttons, fields and their labels, and not what nobody can click', () => {
    equal(
      found(`<a href="#" id=a>A</a> <button class=hand>B</button> <input class=hand>
        <label class=hand>C <input type=checkbox></label> <div class=hand style="display: none">D</div>
        <div class=hand style="visibility: hidden">E</div> <div class=hand style="pointer-events: none">F</div>
        <div class=hand></div>`),
      [],
    );
    equal(found('<label class=hand id=a>A <input type=checkbox style="display: none"></label>'), ['a']);
  });

  it('are found in open shadow trees, and those in the viewport come first', () => {
    equal(
      found(`<div class=hand id=far style="position: absolute; top: 9000px">A</div>
        <div data-tree="<span style='cursor: pointer' id=inner>B</span>"></div>`),
      ['inner', 'far'],
    );
  });

  it('are not the whole page if the page has a hand everywhere', () => {
    document.body.style.cursor = 'pointer';
    equal(found('<div id=a>A</div>'), []);
    document.body.style.cursor = '';
  });
});
