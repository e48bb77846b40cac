import { describe, expect, it } from 'vitest';
import { addressesIn } from './addresses.js';

describe('the addresses in a header', () => {
  it.each([
    ['ana@client.test', [['', 'ana@client.test']]],
    ['Ana Lima <ana@client.test>', [['Ana Lima', 'ana@client.test']]],
    [
      '"Lima, Ana" <ana@client.test>, b@client.test',
      [
        ['Lima, Ana', 'ana@client.test'],
        ['', 'b@client.test'],
      ],
    ],
    ['ana@client.test (Ana Lima)', [['Ana Lima', 'ana@client.test']]],
    ['=?utf-8?Q?Gr=C3=BC=C3=9Fe=2C_Ana?= <ana@client.test>', [['Grüße, Ana', 'ana@client.test']]],
    ['"=?utf-8?B?R3LDvMOfZQ==?=" <ana@client.test>', [['Grüße', 'ana@client.test']]],
    ['=?utf-8?Q?Ana_=3Cana=40client=2Etest=3E?=', [['Ana', 'ana@client.test']]],
    [
      '=?utf-8?B?IkFuYSIgPGFuYUBjbGllbnQudGVzdD4=?=, b@client.test',
      [
        ['Ana', 'ana@client.test'],
        ['', 'b@client.test'],
      ],
    ],
    ['=?utf-8?Q?=C3?= =?utf-8?Q?=BC?= <ana@client.test>', [['ü', 'ana@client.test']]],
    [
      'Friends: ana@client.test, B <b@client.test>;',
      [
        ['', 'ana@client.test'],
        ['B', 'b@client.test'],
      ],
    ],
    ['undisclosed-recipients:;', []],
    ['nobody in particular', []],
    ['', []],
  ])('parses %s', (value, expected) => {
    expect(addressesIn(value).map(({ name, address }) => [name, address])).toEqual(expected);
  });
});
