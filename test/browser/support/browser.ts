import { existsSync } from 'node:fs';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type Page, chromium as playwright } from 'playwright-core';

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Chromium as people have it: the package’s own flags would switch off the very policies that are tested here. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = INSTALLED.find((path) => existsSync(path)) ?? (await chromium.executablePath());
  return playwright.launch({ executablePath, args: ['--no-sandbox', '--no-zygote', '--disable-gpu'] });
}

export type Theme = 'light' | 'dark';

export function openContext(browser: Browser, theme: Theme = 'light', scripts = true): Promise<BrowserContext> {
  return browser.newContext({ colorScheme: theme, javaScriptEnabled: scripts, viewport: { width: 1100, height: 800 } });
}

/** What axe finds wrong with the page as it stands, each with the element it stands on. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Through the debugger: the page's own policy lets no script in, which is as it should be.
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    return (await axe.run()).violations;
  });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}
