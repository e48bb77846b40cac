import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '../support/browser.js';
import { type TestConsole, startConsole } from '../support/console.js';

describe('the API reference', () => {
  let console: TestConsole;

  beforeAll(async () => {
    console = await startConsole();
  });
  afterAll(() => console.stop());

  it.each([
    ['light', 1280],
    ['dark', 400],
  ] as const)(
    'has no fault that axe finds and is no wider than the screen, in %s at %d pixels',
    async (...shown) => {
      const [colorScheme, width] = shown;
      const page = await console.signedIn(undefined, {
        colorScheme,
        bypassCSP: true,
        viewport: { width, height: 900 },
      });
      await page.goto('/docs');
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    },
    60_000,
  );
});
