import { PasswordsService } from '#libs/access';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from './browser.js';
import { type Desk, type DeskOptions, startDesk } from './desk.js';

export const PASSWORD = 'correct horse battery';

/** Starts a desk with its console in a real browser. */
export async function startConsole(options: DeskOptions = {}): Promise<TestConsole> {
  const [desk, browser] = await Promise.all([startDesk(options), launchBrowser()]);
  return new TestConsole(desk, browser);
}

export class TestConsole {
  /** Errors reported by the browser: blocked by the policy, not found, thrown. */
  readonly browserErrors: string[] = [];

  constructor(
    readonly desk: Desk,
    private readonly browser: Browser,
  ) {}

  /** Opens a new browser and signs in with e-mail and password. */
  async signedIn(email = this.desk.account.owner.email, options: BrowserContextOptions = {}): Promise<Page> {
    await this.givePassword(email);
    const page = await this.anonymous(options);
    await page.goto('/sign-in');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/inbox*');
    return page;
  }

  async anonymous(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({ baseURL: this.desk.base, ...options });
    context.setDefaultTimeout(10_000);
    return this.watched(context);
  }

  async stop(): Promise<void> {
    await this.browser.close();
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

  private async givePassword(email: string): Promise<void> {
    const { rows } = await this.desk.sql.query<{ id: string; account_id: string }>(
      'select id, account_id from agents where email = $1',
      [email],
    );
    await this.desk.api.get(PasswordsService).set(rows[0]!.account_id, rows[0]!.id, PASSWORD);
  }
}
