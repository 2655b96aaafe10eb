import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { urlPattern } from '../../../../server/src/platform/network/url-glob.js';

const matches = (glob: string, address: string): boolean => {
  const pattern = urlPattern(glob);
  assert.ok(pattern, glob);
  return new RegExp(pattern.whole, 'i').test(address);
};

describe('a glob pattern of addresses', () => {
  for (const [glob, yes, no] of [
    ['*', ['https://a.example/', 'http://127.0.0.1:80/x', 'about:blank'], []],
    ['<all_urls>', ['https://a.example/x?y'], []],
    ['*://*/*', ['https://a.example/', 'http://localhost:1/x'], ['ftp://a.example/']],
    [
      '*://*.example.com/*',
      ['https://example.com/', 'http://a.b.example.com/x?y'],
      ['https://badexample.com/'],
    ],
    [
      'https://shop.example/pay/*',
      ['https://shop.example/pay/card'],
      ['https://shop.example/', 'http://shop.example/pay/x'],
    ],
    [
      'https://shop.example/pay',
      ['https://shop.example/pay', 'https://shop.example/pay?a=1'],
      ['https://shop.example/pays'],
    ],
    [
      'https://shop.example',
      ['https://shop.example/', 'https://shop.example/any?x', 'https://shop.example:8443/x'],
      ['https://shop.example.evil/'],
    ],
    ['http://127.0.0.1:8080/*', ['http://127.0.0.1:8080/x'], ['http://127.0.0.1:80/x']],
    ['shop.example/*', ['http://shop.example/', 'https://shop.example/x'], ['https://a.shop.example/']],
    ['*shop*', ['https://shop.example/x', 'https://my-shop.example/'], ['https://example.com/']],
    ['https://a.example/*?id=*', ['https://a.example/x?id=7'], ['https://a.example/x']],
  ] as const)
    it(`${glob} matches ${yes.join(', ')} and not ${no.join(', ') || 'nothing'}`, () => {
      for (const address of yes) assert.ok(matches(glob, address), address);
      for (const address of no) assert.ok(!matches(glob, address), address);
    });

  it('can be tested against a whole site', () => {
    const pattern = urlPattern('https://shop.example/pay/*');
    assert.ok(pattern);
    assert.ok(new RegExp(pattern.site, 'i').test('https://shop.example/'));
    assert.ok(!new RegExp(pattern.site, 'i').test('https://other.example/'));
  });

  it('is invalid without a host, or with a space', () => {
    for (const glob of ['', 'https://', '/path', 'https:///x', 'a b'])
      assert.equal(urlPattern(glob), undefined, glob);
  });
});
