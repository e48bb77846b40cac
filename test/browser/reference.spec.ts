// @module-tag long
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { axeViolations } from '#test/support/browser.js';
import { consoleForTests } from '#test/support/console.js';
import { OAuthDesk, PASSWORD } from '../oauth/support/oauth-desk.js';
import { pathWithCurl } from '../oauth/support/path-with-curl.js';
import { overlappingTexts } from './support/overlapping-texts.js';

const run = promisify(execFile);
const path = pathWithCurl(mkdtempSync(join(tmpdir(), 'samples-')));
const PATHS = `[...document.querySelectorAll('nav a[href^="/docs"]')].map(({ pathname }) => pathname)`;

describe('the API reference', () => {
  const console = consoleForTests(async () => (await OAuthDesk.start()).desk);

  it.each([
    ['/docs', 'light', 1280],
    ['/docs/tickets', 'dark', 400],
    ['/docs/records', 'light', 400],
    ['/docs/events', 'dark', 1280],
    ['/docs/guides/webhooks', 'light', 400],
    ['/docs/guides/oauth', 'dark', 1280],
    ['/docs?q=signature', 'light', 400],
  ] as const)(
    'passes axe and fits the screen: %s, in %s at %d pixels',
    async (...shown) => {
      const [address, colorScheme, width] = shown;
      const page = await console.signedIn(undefined, {
        colorScheme,
        bypassCSP: true,
        viewport: { width, height: 900 },
      });
      await page.goto(address);
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
      for (const address of new Set(['/docs', '/docs/errors', ...paths])) {
        await page.goto(address);
        faults.push(...(await overlappingTexts(page)).map((pair) => `${address}: ${pair}`));
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
    await page.locator('h1 ~ .operations li').nth(1).waitFor({ state: 'detached' });
    expect(await page.locator('.operations li').count()).toBe(1);
  });

  it('finds parts of the guides while a person types, and opens them', async () => {
    const page = await console.anonymous();
    await page.goto('/docs');
    await page.getByRole('searchbox').pressSequentially('debugging a signature');
    await page.locator('.guides').getByRole('link', { name: 'Debugging a signature' }).click();

    expect(page.url()).toMatch(/\/docs\/guides\/[\w-]+#debugging-a-signature$/);
    await page.goto('/docs');
    await page.getByRole('searchbox').fill('zzzz');
    await page.getByText('No guide matches these words.').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByRole('heading', { name: 'Errors' }).waitFor();
  });

  it('puts a token of the reader into the samples of one tab and one session', async () => {
    const page = await console.signedIn(undefined, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto('/docs/me');
    await page.getByText('Use your own token in the samples').click();
    const form = page.getByRole('form', { name: 'Token for the samples' });
    await form.getByLabel('Your password').fill('wrong password');
    await form.getByRole('button').click();
    await form.getByText('That is not your current password.').waitFor();
    await form.getByLabel('Your password').fill(PASSWORD);
    await form.getByRole('button').click();
    await page.getByText('The samples contain your token').waitFor();
    await page.locator('details[open] .copy').first().click();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    const { stdout } = await run('sh', ['-c', command], { env: { PATH: path } });

    expect(command).toMatch(/Bearer dwp_/);
    expect(stdout).toContain(console.desk.account.owner.email);
    expect(page.url()).not.toContain('dwp_');

    await page.goto('/docs/tickets');
    expect(await page.content()).toContain('dwp_');
    await page.getByRole('button', { name: 'Forget it' }).waitFor();
    const other = await page.context().newPage();
    await other.goto('/docs/tickets');
    expect(await other.content()).not.toContain('dwp_');

    await page.context().clearCookies();
    await page.goto('/docs/tickets');
    expect(await page.content()).not.toContain('dwp_');
    expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual([]);
  });
});
