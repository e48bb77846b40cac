import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bundled from '@sparticuz/chromium';
import { type Browser, type Page, chromium } from 'playwright-core';
import { eventually } from './eventually.js';

const SYSTEM_BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Not the package's own flags: those disable the policies under test. */
const FLAGS = ['--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none', '--disable-dev-shm-usage'];

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

let shared: Promise<Browser> | undefined;

/** One browser for all test files of this process, which ends with it. Close the contexts, not the browser. */
export async function sharedBrowser(): Promise<Browser> {
  const running = await shared;
  if (running?.isConnected()) return running;
  shared = launchBrowser();
  return shared;
}

/** A real browser: the system's if installed, otherwise the one of the package. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = SYSTEM_BROWSERS.find((path) => existsSync(path)) ?? (await unpackedChromium());
  // Without a locale it cannot save files with umlauts in their names.
  const env = { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
  return chromium.launch({ executablePath, args: [...FLAGS, '--headless=shell'], env });
}

/** The accessibility faults of the page according to axe, in words. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Through the debugger, since the page's own policy rightly blocks scripts.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate((runOnly) => {
    const { axe, document } = globalThis as unknown as PageWithAxe;
    return axe.run(document, { runOnly });
  }, RULES);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

interface PageWithAxe {
  readonly document: unknown;
  readonly axe: { run(context: unknown, options: { runOnly: string[] }): Promise<AxeResults> };
}

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** Into the temporary folder of this run. Of several files starting at once, one unpacks and the others wait. */
async function unpackedChromium(): Promise<string> {
  const lock = join(tmpdir(), 'chromium.lock');
  await eventually(() => mkdir(lock).then(() => true), { withinMs: 60_000 });
  try {
    return await bundled.executablePath();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}
