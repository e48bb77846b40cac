// @module-tag long
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedBrowser } from '#test/support/browser.js';
import { type Outcome, converse } from './support/conversation.js';
import { LIBRARIES, type Library } from './support/libraries.js';
import { LANGUAGES, installLibraries, isInstalled } from './support/library-languages.js';
import { PASSWORD, type TestApplication } from './support/oauth-desk.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import { ScriptServer } from './support/script-server.js';

type Use = (library: Library, folder: string) => Promise<Outcome>;

/** Runs with `OAUTH_LIBRARIES=full`: it installs the libraries, which are no dependencies. */
describe.runIf(process.env['OAUTH_LIBRARIES'] === 'full')('an unmodified library', () => {
  const oauth = oauthDeskForFile();

  const useInProcess: Use = async ({ language, program, ...library }, folder) => {
    const { redirectUri = 'http://127.0.0.1:4998/callback', isPublic = false } = library;
    // A public client may use another port than the registered one.
    const registered = isPublic ? redirectUri.replace(':4998', '') : redirectUri;
    const { clientId, secret } = await oauth.application({ redirectUris: [registered], isPublic });
    const person = await oauth.person();
    const environment = { BASE: oauth.base, CLIENT_ID: clientId, CLIENT_SECRET: secret, REDIRECT_URI: redirectUri };
    const command = LANGUAGES[language].run(program);
    return converse({ command, folder, environment }, (address) =>
      person.decide(`${address.pathname}${address.search}`, 'allow'),
    );
  };

  const useInBrowser: Use = async ({ program }, folder) => {
    const bundle = await build({ input: join(folder, program), write: false });
    const site = await ScriptServer.start(bundle.output[0].code);
    try {
      return await signInOnSite(
        site,
        await oauth.application({ redirectUris: [`${site.base}/callback`], isPublic: true }),
      );
    } finally {
      site.stop();
    }
  };

  async function signInOnSite(site: ScriptServer, app: TestApplication): Promise<Outcome> {
    const context = await (await sharedBrowser()).newContext();
    const page = await context.newPage();
    await page.goto(`${site.base}/?${new URLSearchParams({ authority: oauth.base, client_id: app.clientId })}`);
    await page.getByLabel('Email').fill(oauth.desk.account.owner.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    const outcome = await page.locator('pre').textContent();
    await context.close();
    return JSON.parse(outcome ?? '') as Outcome;
  }

  describe.each(['node', 'browser', 'python', 'go'] as const)('in %s', (language) => {
    const isMissing = !isInstalled(language);
    const note = isMissing ? ` (not tried: ${LANGUAGES[language].needs} is not installed here)` : '';
    const libraries = LIBRARIES.filter((library) => library.language === language);
    const use = language === 'browser' ? useInBrowser : useInProcess;
    let folder: string | undefined;
    beforeAll(async () => {
      if (!isMissing) folder = await installLibraries(language, libraries);
    }, 600_000);
    afterAll(() => folder && rm(folder, { recursive: true, force: true }));

    it.skipIf(isMissing).each(libraries)(`works from the documented addresses: $name${note}`, async (library) => {
      const { email } = oauth.desk.account.owner;
      const { lacks = [] } = library;
      const outcome = await use(library, folder!);

      expect([outcome.status, outcome.email ?? email]).toEqual([200, email]);
      expect(new Set(outcome.accessTokens).size).toBe(lacks.includes('refresh') ? 1 : 2);
      expect(await oauth.works(outcome.accessTokens.at(-1)!)).toBe(lacks.includes('revocation'));
    });
  });
});
