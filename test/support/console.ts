import { SessionsService } from '#libs/access';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { TestRunner, afterAll, beforeAll, onTestFinished } from 'vitest';
import { sharedBrowser } from './browser.js';
import { type Desk, startDesk } from './desk.js';

/** A console in a real browser, from the first test of the calling file or block to its last. */
export function consoleForTests(start: () => Promise<Desk> = startDesk): TestConsole {
  const console = new TestConsole();
  beforeAll(async () => void ([console.desk, console.browser] = await Promise.all([start(), sharedBrowser()])));
  afterAll(() => console.stop());
  return console;
}

export class TestConsole {
  desk!: Desk;
  browser!: Browser;
  /** Errors reported by the browser: blocked by the policy, not found, thrown. */
  readonly browserErrors: string[] = [];
  private readonly contexts: BrowserContext[] = [];

  /** Opens the inbox in a new browser profile with a session of its own. */
  async signedIn(email = this.desk.account.owner.email, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.anonymous(options);
    const value = await this.newSession(email, options.userAgent);
    await page.context().addCookies([{ name: 'deskwire-session', value, url: this.desk.base }]);
    await page.goto('/inbox');
    return page;
  }

  async anonymous(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({ baseURL: this.desk.base, ...options });
    this.contexts.push(context);
    context.setDefaultTimeout(10_000);
    // An open page follows the desk and costs time in the tests after this one.
    if (TestRunner.getCurrentTest()) onTestFinished(() => context.close());
    return this.watched(context);
  }

  async stop(): Promise<void> {
    await Promise.all(this.contexts.map((context) => context.close()));
    await this.desk.stop();
  }

  private async watched(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    page.on('pageerror', (error) => this.browserErrors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
        this.browserErrors.push(message.text());
    });
    return page;
  }

  private async newSession(email: string, userAgent = 'Chrome'): Promise<string> {
    const { rows } = await this.desk.sql.query<{ id: string; accountId: string }>(
      'select id, account_id as "accountId" from agents where email = $1',
      [email],
    );
    const opened = await this.desk.api.get(SessionsService).open(rows[0]!, { userAgent, address: '127.0.0.1' });
    return opened.token;
  }
}
