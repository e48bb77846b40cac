import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import type { Person } from '../../oauth/support/person.js';
import type { ApiRoute } from '#test/support/api-routes.js';
import { consoleRoutes } from '#test/support/console-routes.js';

const oauth = await OAuthDesk.start();
afterAll(() => oauth.stop());

/** The pages under Settings that agents may see. */
const FOR_AGENTS = ['/settings/saved-replies', '/settings/agents', '/settings/assistants'];

const isForManagers = ({ method, path }: ApiRoute): boolean =>
  path.startsWith('/settings/') &&
  !path.startsWith('/settings/saved-replies') &&
  !(method === 'GET' && FOR_AGENTS.includes(path));

/** Sends the request without using the page, as an attacker who knows the address would. */
async function forged(by: Person, { method, path }: ApiRoute): Promise<number> {
  const known = path.startsWith('/settings/agents') ? oauth.desk.account.owner.id : randomUUID();
  const address = path.replaceAll(/:\w+/g, known);
  const fields = { email: 'x@acme.test', first_name: 'X', last_name: 'Y', role: 'admin', state: 'paused' };
  return (await (method === 'GET' ? by.get(address) : by.act(address, fields))).status;
}

const noted = async (): Promise<number> =>
  (await oauth.desk.sql.query('select 1 from activities where account_id = $1', [oauth.desk.account.id])).rowCount ?? 0;

async function settingsLinks(person: Person, path: string): Promise<string[]> {
  const { html } = await person.get(path);
  return [...new Set([...html.matchAll(/(?:href|action)="(\/settings\/[^"]*)"/g)].map(([, link]) => link!))];
}

describe('an agent', () => {
  it('receives 403 from the pages and forms for owners and admins', async () => {
    const by = await oauth.colleague('agent');
    const before = await noted();
    const routes = consoleRoutes().filter(isForManagers);
    const answers: string[] = [];
    for (const route of routes) answers.push(`${route.method} ${route.path} ${await forged(by, route)}`);
    expect(routes.length).toBeGreaterThan(30);
    expect(answers.filter((answer) => !answer.endsWith(' 403'))).toEqual([]);
    expect(await noted()).toBe(before);
  });

  it('sees no link to the settings except to saved replies, the list of agents and assistants', async () => {
    const person = await oauth.colleague('agent');
    for (const path of ['/inbox', '/profile', '/settings/agents', '/customers'])
      expect({ path, links: await settingsLinks(person, path) }).toEqual({
        path,
        links: path === '/settings/agents' ? FOR_AGENTS : FOR_AGENTS.slice(0, 1),
      });
  });
});

describe('an admin', () => {
  it('sees every settings page except Security and System', async () => {
    const by = await oauth.colleague('admin');
    const pages = consoleRoutes().filter(({ method, path }) => method === 'GET' && /^\/settings\/[a-z]+$/.test(path));
    const answers = await Promise.all(pages.map(async (route) => [route.path, await forged(by, route)] as const));
    expect(answers.filter(([, status]) => status !== 200)).toEqual([
      ['/settings/security', 403],
      ['/settings/system', 403],
    ]);
    expect(await settingsLinks(by, '/settings/agents')).not.toContain('/settings/system');
  });
});

describe('an owner', () => {
  it('sees the state of the installation, and nothing of other accounts', async () => {
    const owner = await oauth.person();
    const { html, status } = await owner.get('/settings/system');
    expect(status).toBe(200);
    expect(html).toContain('no worker seen in the last 15 seconds');
    expect(html).not.toMatch(/\d+ owed/);
    expect(await settingsLinks(owner, '/profile')).toEqual(['/settings/replies']);
    expect(await settingsLinks(owner, '/settings/replies')).toContain('/settings/system');
  });
});
