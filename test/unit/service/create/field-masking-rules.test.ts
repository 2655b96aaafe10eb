import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { isSelectorList } from '../../../../server/src/create-fields/values/selector-syntax.js';
import { ApiCaller } from '../../../fakes/api-caller.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

let service: TestService;
let api: ApiCaller;
beforeEach(async () => {
  service = await createTestService({ maxSessions: 100 });
  api = new ApiCaller(service);
});
afterEach(() => service.close());

const matches = ['*://example.com/*'];
const selectors = ['input[type="password"]', '#card .number'];

describe('field_masking', () => {
  it('is accepted in the documented form', async () => {
    const rules = [[], [{ matches, selectors }], [{ matches: ['*'], selectors: ['*'], note: 'of mine' }]];
    for (const rule of rules) await api.begin({ field_masking: rule });
  });

  // Proves: field_masking
  it('is sent to the host as requested', async () => {
    const rules = [
      { matches: ['<all_urls>', '*shop*', 'http*://127.0.0.1:*/*'], selectors: ['input', '[data-secret] *'] },
      { matches: ['https://shop.example'], selectors: ['#card'] },
    ];
    await api.begin({ field_masking: rules.map((rule) => ({ ...rule, note: 'of mine' })) });
    assert.deepEqual(service.pool.last.session.fieldMasking, rules);
    await api.begin({});
    assert.deepEqual(service.pool.last.session.fieldMasking, []);
  });

  const cases: [masking: unknown, field: string][] = [
    ['', 'field_masking'],
    ['input', 'field_masking'],
    [true, 'field_masking'],
    [{}, 'field_masking'],
    [{ matches, selectors }, 'field_masking'],
    [[null], 'field_masking.0'],
    [['input'], 'field_masking.0'],
    [[{}], 'field_masking.0.matches'],
    [[{ matches }], 'field_masking.0.selectors'],
    [[{ selectors }], 'field_masking.0.matches'],
    [[{ matches: null, selectors }], 'field_masking.0.matches'],
    [[{ matches: '*', selectors }], 'field_masking.0.matches'],
    [[{ matches: [], selectors }], 'field_masking.0.matches'],
    [[{ matches, selectors: [] }], 'field_masking.0.selectors'],
    [[{ matches, selectors: 'input' }], 'field_masking.0.selectors'],
    [
      [
        { matches, selectors },
        { matches, selectors: [5] },
      ],
      'field_masking.1.selectors.0',
    ],
    [[{ matches, selectors: ['input', ''] }], 'field_masking.0.selectors.1'],
    [[{ matches, selectors: ['input['] }], 'field_masking.0.selectors.0'],
    [[{ matches: ['example.com'], selectors }], 'field_masking.0.matches.0'],
    [[{ matches: ['*', 'localhost:3000/*'], selectors }], 'field_masking.0.matches.1'],
    ...['https://exa mple/*', 'https://', '*://', 'http:', 'about:blank', 'file:///*', '/path'].map(
      (glob): [unknown, string] => [[{ matches: [glob], selectors }], 'field_masking.0.matches.0'],
    ),
  ];
  for (const [masking, field] of cases) {
    // Proves: field_masking: its form; field_masking
    it(`with an invalid rule is refused: ${JSON.stringify(masking)}`, async () => {
      const response = await api.create({ field_masking: masking });
      assert.equal(response.statusCode, 400, response.body);
      const { code, message } = response.json<{ code: string; message: string }>();
      assert.equal(code, 'err_invalid_parameter');
      assert.ok(message.startsWith(`${field} must be `), message);
      assert.equal(service.pool.hosts.length, 0);
    });
  }
});

describe('a CSS selector', () => {
  // Proves: field_masking: its form
  it('is distinguished from invalid ones', () => {
    const good = [
      ...['input', '*', '.a.b', '#x1', 'a > b', 'a+b~c d', 'a,b , c', 'svg|rect', '--x', '.größe'],
      ...[
        '[a]',
        '[ data-a = "x]y" i ]',
        "[a~='b']",
        'input[type=password]:not([disabled])',
        '[a|=b]',
        '[n|a=b]',
        '[a=ss]',
        '[a=b s ]',
        '[a="b"i]',
      ],
      ...[':is(a, b:not(:has(> c)))', 'li:nth-child(2n + 1)', '::before', '.\\31 a', 'a:lang("de")'],
    ];
    for (const text of good) assert.ok(isSelectorList(text), text);
    const bad = [
      ...[
        '',
        ' ',
        ',',
        'a,',
        ',a',
        'a,,b',
        '> a',
        'a >',
        'a > > b',
        '.',
        '#',
        '.5a',
        '5a',
        ':',
        ':()',
        ':not(',
      ],
      ...[
        'a)',
        'input[',
        '[a=]',
        '[a="b]',
        '[=b]',
        'a{}',
        'a;b',
        '<input>',
        'a!b',
        'a::',
        ':not()',
        '"a"',
        '//a',
      ],
    ];
    for (const text of bad) assert.ok(!isSelectorList(text), text);
  });

  it('is checked in bounded time, however it is written', () => {
    for (const piece of [
      'a',
      '(',
      ':a(',
      '[a',
      'a ',
      '\\',
      ' ',
      '-',
      '"',
      '::a',
      'é',
      '[a=ss]',
      '[a=s s]',
      '[a="s"s]',
      '[a|a]',
      '.a#a',
      ':a(a)',
    ])
      assert.equal(typeof isSelectorList(piece.repeat(1_000 / piece.length) + '!'), 'boolean');
  });
});
