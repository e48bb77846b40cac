// @module-tag long
import { describe, expect, it } from 'vitest';
import { axeViolations } from '#test/support/browser.js';
import { consoleForTests } from '#test/support/console.js';
import { overlappingTexts } from './support/overlapping-texts.js';

const PATHS = `[...document.querySelectorAll('nav a[href^="/docs"]')].map(({ pathname }) => pathname)`;

describe('the API reference', () => {
  const console = consoleForTests();

  it.each([
    ['/docs', 'light', 1280],
    ['/docs/tickets', 'dark', 400],
    ['/docs/records', 'light', 400],
    ['/docs/events', 'dark', 1280],
  ] as const)(
    'passes axe and fits the screen: %s, in %s at %d pixels',
    async (...shown) => {
      const [path, colorScheme, width] = shown;
      const page = await console.signedIn(undefined, {
        colorScheme,
        bypassCSP: true,
        viewport: { width, height: 900 },
      });
      await page.goto(path);
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    },
    60_000,
  );

  it.each([390, 1280, 1440, 1920])(
    'renders no overlapping text on any page, at %d pixels',
    async (width) => {
      const page = await console.anonymous({ viewport: { width, height: 900 } });
      await page.goto('/docs');
      const paths = await page.evaluate<string[]>(PATHS);
      const faults: string[] = [];
      for (const path of new Set(['/docs', '/docs/errors', ...paths])) {
        await page.goto(path);
        faults.push(...(await overlappingTexts(page)).map((pair) => `${path}: ${pair}`));
      }

      expect(faults).toEqual([]);
      expect(paths.length).toBeGreaterThan(15);
      await page.context().close();
    },
    120_000,
  );

  it('copies code, remembers the language, and filters by the typed text', async () => {
    const page = await console.signedIn(undefined, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto('/docs/me');
    await page.getByText('Python', { exact: true }).click();
    await page.locator('details[open] .copy').click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('requests.get');

    await page.goto('/docs/folders');
    expect(await page.locator('details[open] > summary').allTextContents()).toEqual(['Python']);

    await page.goto('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('ticket /restore');
    expect(await page.locator('.operations li:visible').count()).toBe(1);
  });
});
