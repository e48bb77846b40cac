import { describe, expect, it } from 'vitest';
import { deliveryReportIn } from './delivery-report.js';

const report = (text: string) =>
  deliveryReportIn([{ type: 'message/delivery-status', content: new TextEncoder().encode(text) }]);

const OF_THE_MAIL = 'Reporting-MTA: dns; mx.client.test\r\nArrival-Date: Mon, 03 Mar 2025 10:11:12 +0100\r\n\r\n';

describe('a delivery report', () => {
  it.each([
    [
      'Final-Recipient: rfc822; ana@client.test\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1\r\n <ana@client.test>: No such user\r\n',
      '550 5.1.1 <ana@client.test>: No such user',
    ],
    ['Action: Failed\nStatus: 5.2.2\n', '5.2.2'],
    ['action: failed\n', 'The mail could not be delivered.'],
    ['Action: delayed\r\n\r\nAction: failed\r\nStatus: 5.4.7\r\n', '5.4.7'],
    [`Action: failed\nDiagnostic-Code: smtp; 550 ${'x'.repeat(1000)}`, `550 ${'x'.repeat(296)}`],
    ['Action: failed\nDiagnostic-Code: smtp; 550\u0000 no\tway\n', '550 no way'],
  ])('gives the reason in words for %j', (text, failure) => {
    expect(report(OF_THE_MAIL + text)).toEqual({ failure });
  });

  it.each([
    ['Action: delayed\r\nStatus: 4.4.1\r\n'],
    ['Action: delivered\r\n'],
    ['Action: relayed\r\n'],
    [''],
    [': : :\n \n:'],
  ])('reports no failure for %j', (text) => {
    expect(report(OF_THE_MAIL + text)).toEqual({ failure: null });
  });

  it('requires the parts of a delivery report', () => {
    expect(deliveryReportIn([{ type: 'text/plain', content: new TextEncoder().encode('Action: failed') }])).toBeNull();
  });

  it('parses megabytes quickly', () => {
    expect(report(`Action: failed\nDiagnostic-Code: smtp;${' x'.repeat(5_000_000)}`)?.failure).toHaveLength(300);
  });
});
