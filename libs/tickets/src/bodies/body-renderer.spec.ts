import { Metrics, createLogger } from '#libs/telemetry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BodyRenderer } from './body-renderer.js';

let metrics: Metrics;
let renderer: BodyRenderer;
beforeEach(() => {
  metrics = new Metrics('test');
  renderer = new BodyRenderer(createLogger('test', 'silent'), metrics);
});
afterEach(() => renderer.onApplicationShutdown());

const LARGE = '<p>a</p>'.repeat(1000);

const unrendered = async (reason: string) =>
  (await metrics.getSingleMetric('deskwire_bodies_unrendered_total')!.get()).values.find(
    ({ labels }) => labels['reason'] === reason,
  )!.value;

describe('BodyRenderer', () => {
  it('postpones large bodies of a busy account, and renders those of another one', async () => {
    const many = Array.from({ length: 410 }, () => renderer.render('one', { body: LARGE }));
    const other = renderer.render('another', { body: LARGE });

    const forms = (await Promise.all(many)).map(({ shownAs }) => shownAs);

    expect(forms.filter((form) => form === 'html')).toHaveLength(400);
    expect(forms.filter((form) => form === null)).toHaveLength(10);
    expect(await other).toMatchObject({ shownAs: 'html', safeHtml: LARGE });
    expect(await unrendered('busy')).toBe(10);
    expect(await unrendered('timeout')).toBe(0);
  });

  it('returns the text of a postponed body', async () => {
    const [last] = await Promise.all(
      Array.from({ length: 402 }, () => renderer.render('one', { body: LARGE })).toReversed(),
    );

    expect(last).toEqual({ plainTextBody: 'a\n'.repeat(999) + 'a', shownAs: null, safeHtml: null });
  });
});
