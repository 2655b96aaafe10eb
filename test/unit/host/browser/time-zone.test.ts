import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeZoneOf } from '../../../../server/src/host/browser/launch/time-zone.js';

test('a country has no time zone if Node does not know the zone', async (context) => {
  assert.equal(await timeZoneOf('IS'), 'Atlantic/Reykjavik');
  const { DateTimeFormat } = Intl;
  context.mock.method(
    Intl,
    'DateTimeFormat',
    function (locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
      if (options.timeZone === 'Atlantic/Reykjavik') throw new RangeError('Invalid time zone specified');
      return new DateTimeFormat(locale, options);
    },
  );
  assert.equal(await timeZoneOf('IS'), undefined);
  assert.equal(await timeZoneOf('PL'), 'Europe/Warsaw');
});
