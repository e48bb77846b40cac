import type { Verdict } from '#libs/doctor';
import type { AccountTraffic } from '#libs/webhooks';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { SystemVerdict } from './system.page.js';

function headlineOf(verdict: Verdict, disabledWebhooks: number): string {
  const traffic = { disabledWebhooks, failingWebhooks: 0, total: { givenUp: 0 } } as unknown as AccountTraffic;
  const html = renderToString(<SystemVerdict findings={[{ name: 'redis', verdict, words: 'so' }]} traffic={traffic} />);
  const [, tone, words] = /class="notice (\w+)".*?<strong>(.*?)<\/strong>/s.exec(html)!;
  return `${tone}: ${words}`;
}

describe('SystemVerdict', () => {
  it.each([
    ['green', 0, 'good: All systems operational.'],
    ['green', 2, 'warn: Webhooks of your account need attention.'],
    ['amber', 2, 'warn: Everything works, but something needs the operator’s attention.'],
    ['red', 2, 'bad: Something is not working. Contact your operator.'],
  ] as const)('summarises a %s installation with %i disabled webhooks as “%s”', (verdict, disabled, headline) => {
    expect(headlineOf(verdict, disabled)).toBe(headline);
  });
});
