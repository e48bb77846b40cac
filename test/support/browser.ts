import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bundled from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';
import { eventually } from './eventually.js';

const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Nothing here weakens what pages are protected by: that is part of what is tested. */
const FLAGS = ['--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none', '--disable-dev-shm-usage'];

/** A real one: the system's where there is one, otherwise the one that comes as a package. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = SYSTEM.find((path) => existsSync(path)) ?? (await unpacked());
  return chromium.launch({ executablePath, args: [...FLAGS, '--headless=shell'] });
}

/** Several test files may start at once; one of them unpacks it, and the others wait. */
async function unpacked(): Promise<string> {
  const lock = join(tmpdir(), 'deskwire-chromium.lock');
  await eventually(() => mkdir(lock).then(() => true), { withinMs: 60_000 });
  try {
    return await bundled.executablePath();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}
