import type { WebhookTraffic } from '#libs/webhooks';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { PageContext, type PageContextValue } from '../layers/ui/page-context.js';
import { TrafficSection } from './traffic-charts.js';

const PAGE = { me: { timeZone: 'UTC' } } as unknown as PageContextValue;
const HOUR = { hour: new Date('2030-01-10T11:00:00Z'), delivered: 4, retried: 0, givenUp: 1 };
const NONE = { count: 0, hasMore: false };

function chartOf(title: string): string {
  const hours = [{ ...HOUR, durationMs: 1_700, longestMs: 1_200 }];
  const traffic = { hours, retrying: NONE, waiting: NONE, nextAttemptAt: null } as unknown as WebhookTraffic;
  const html = renderToString(
    <PageContext.Provider value={PAGE}>
      <TrafficSection traffic={traffic} webhook={{ state: 'active', retryAfterUntil: null }} />
    </PageContext.Provider>,
  );
  return html.split(/<figure |<\/figure>/).find((figure) => figure.includes(`<strong>${title}`)) ?? '';
}

const textsOf = (html: string, tag: string): string[] =>
  [...html.matchAll(new RegExp(`<${tag}[^>]*>([^<]*)</${tag}>`, 'g'))].map(([, text]) => text!);

describe('the charts of a webhook', () => {
  it.each([
    ['Response times', ['340 ms average', '1.2 s slowest'], ['01-10 11:00', '340 ms', '1.2 s']],
    ['Last 24 hours', ['4 delivered', '1 given up'], ['01-10 11:00', '4', '0', '1']],
  ])('say the same in tooltips and in the table: %s', (title, tooltips, cells) => {
    const chart = chartOf(title);

    expect(textsOf(chart, 'title')).toEqual(tooltips.map((words) => `01-10 11:00: ${words}`));
    expect(textsOf(chart, 'td')).toEqual(cells);
  });
});
