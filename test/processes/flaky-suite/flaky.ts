import { expect, test } from '@playwright/test';

test('passes', () => {
  expect(1).toBe(1);
});

for (let nth = 1; nth <= Number(process.env['FLAKY_TESTS']); nth++) {
  test(`passes at its second attempt, ${nth}`, () => {
    expect(test.info().retry).toBe(1);
  });
}

test.describe('without a second attempt', () => {
  test.describe.configure({ retries: 0 });

  test('may fail', () => {
    expect(process.env['FAILING']).toBeUndefined();
  });
});

test.describe('one after the other', () => {
  test.describe.configure({ mode: 'serial', retries: 0 });

  test('comes first', () => {
    expect(process.env['FAILING']).toBeUndefined();
  });

  test('comes second', () => {
    expect(1).toBe(1);
  });
});
