import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../../oauth/support/oauth-desk.js';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import type { Person } from '../../oauth/support/person.js';

const oauth = oauthDeskForFile();

const pageAt = async (path: string): Promise<string> => (await oauth.desk.anonymous().get(path)).text;

const guidePaths = async (): Promise<string[]> => {
  const guides = /<section class="guides".*?<\/section>/s.exec(await pageAt('/docs'))?.[0] ?? '';
  return Array.from(guides.matchAll(/<a href="(\/docs\/guides\/[^"]+)"/g), ([, path]) => path!);
};

describe('a guide under /docs', () => {
  it('links only to pages that answer and anchors that exist', async () => {
    const paths = await guidePaths();
    const pages = new Map<string, string>();
    const faults: string[] = [];
    for (const path of paths) {
      const links = (await pageAt(path)).matchAll(/ href="((?:\/|#|\w+\.md)[^"]*)"/g);
      for (const link of new Set(Array.from(links, ([, href]) => href!))) {
        const { pathname, hash } = new URL(link, `https://desk.example${path}`);
        if (!pages.has(pathname)) {
          const { status, text } = await oauth.desk.anonymous().get(pathname);
          pages.set(pathname, status === 200 ? text : '');
        }
        const target = pages.get(pathname)!;
        const anchor = decodeURIComponent(hash.slice(1));
        if (target === '' || (anchor !== '' && !target.includes(` id="${anchor}"`))) faults.push(`${path}: ${link}`);
      }
    }

    expect(paths.length).toBeGreaterThan(6);
    expect(faults).toEqual([]);
  });

  it('shows the address of this installation, and text instead of links to files of the repository', async () => {
    for (const path of await guidePaths()) {
      const page = await pageAt(path);
      expect(page).not.toMatch(/https:\/\/desk\.example|\$BASE|\{base_url\}|<img|\]\(|href="[^"]*\.md/);
    }
    expect(await pageAt('/docs/guides/webhooks')).toContain('<a href="/docs/guides/receivers">Whole receivers</a>');
    expect(await pageAt('/docs/guides/mcp')).toContain(`${oauth.base}/mcp`);
    expect(await pageAt('/docs/guides/sdk')).toContain('http://localhost:3000/hooks');
  });

  it('escapes code, and keeps its language and the anchors of GitHub', async () => {
    const page = await pageAt('/docs/guides/webhooks');

    expect(page).toMatch(/<figure class="code (\w+)"><figcaption>\1<\/figcaption><pre tabindex="0"><code>/);
    expect(page).not.toMatch(/<code[^>]*>[^<]*<(?!\/code>)/);
    expect(page).toContain('<h2 id="register"><a href="#register">Register</a></h2>');
    expect((await oauth.desk.anonymous().get('/docs/guides/nowhere')).status).toBe(404);
  });
});

describe('the search of /docs', () => {
  it.each([
    ['signature', 'webhooks-verify'],
    ['retry', 'webhooks-deliveries#retries'],
    ['rate limits', 'api#rate-limits-and-other-limits'],
    ['pagination', 'api#lists-and-pagination'],
    ['csrf', 'receivers'],
    ['echo', 'crm-sync'],
    ['PKCE code_challenge', 'oauth'],
  ])('finds the parts of guides about %s', async (words, guide) => {
    expect(await pageAt(`/docs?q=${encodeURIComponent(words)}`)).toContain(`<dt><a href="/docs/guides/${guide}`);
  });

  it('finds the codes of errors', async () => {
    const page = await pageAt('/docs?q=unknown_parameter');

    expect(page).toContain('<dt><a href="/docs/errors#field-unknown_parameter">unknown_parameter</a></dt>');
  });

  it('reads only the beginning of a very long text', async () => {
    const words = `signature${' signature'.repeat(20)} zzzz`;

    expect(await pageAt(`/docs?q=${encodeURIComponent(words)}`)).toContain('/docs/guides/webhooks-verify');
  });

  it('says so when no guide and no operation match', async () => {
    const page = await pageAt('/docs?q=zzzz');

    expect(page).toContain('No guide matches these words.');
    expect(page).toContain('No operation matches these words.');
  });
});

const FORM = 'class="own-token"';
const TOKEN = /data-token[^>]*>(dwp_[\w-]+)</;

async function createFromDocs(person: Person, fields: Record<string, string> = {}) {
  const form = { name: 'API reference', days: '1', 'scope[]': 'read', proof: PASSWORD, ...fields };
  return person.submit(await person.get('/docs/me'), '/profile/tokens', form);
}

describe('the form for a token in the samples', () => {
  it('appears only to readers who are signed in, on pages that no cache keeps', async () => {
    const person = await oauth.colleague('agent');
    const pages = [await person.get('/docs/me'), await person.get('/docs/guides/api'), await person.get('/docs')];

    for (const { html, headers } of pages) {
      expect(html).toContain(FORM);
      expect(headers.get('cache-control')).toBe('no-store');
    }
    expect(await pageAt('/docs/me')).not.toContain(FORM);
  });

  it('creates a token that reads for a day, which only its response and the samples of that tab show', async () => {
    const person = await oauth.colleague('agent');
    const created = await createFromDocs(person);
    const token = TOKEN.exec(created.html)![1]!;
    const profile = await person.get('/profile');
    const later = [profile, await person.get('/docs/me'), await (await oauth.person()).get('/docs/me')];
    const call = (method: 'get' | 'post', path: string) => oauth.desk.client(token)[method](path);

    expect([created.status, created.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(profile.html).toContain('API reference');
    for (const { html } of later) expect(html).not.toContain(token);
    expect((await call('get', '/v1/me')).status).toBe(200);
    expect((await call('post', '/v1/tickets')).status).toBe(403);
    oauth.desk.clock.advance({ days: 1, seconds: 1 });
    expect((await call('get', '/v1/me')).status).toBe(401);
  });

  it('needs the password, the form of the same session, and a session', async () => {
    const [person, other] = [await oauth.colleague('agent'), await oauth.colleague('agent')];
    const withoutProof = await createFromDocs(person, { proof: '' });
    const forged = await other.submit(await person.get('/docs/me'), '/profile/tokens', { name: 'x', proof: PASSWORD });
    await person.act('/sign-out');
    const signedOut = await person.post('/profile/tokens', { name: 'x', proof: PASSWORD });

    expect([withoutProof.status, forged.status, signedOut.status]).toEqual([422, 403, 303]);
    for (const { html } of [withoutProof, forged, signedOut]) expect(html).not.toMatch(TOKEN);
  });

  it('gives an agent no rights of an admin, whatever scopes are chosen', async () => {
    const created = await createFromDocs(await oauth.colleague('agent'), { 'scope[]': 'admin' });
    const token = TOKEN.exec(created.html)![1]!;
    const { status } = await oauth.desk.client(token).post('/v1/agents', { email: 'new@acme.example' });

    expect(status).toBe(403);
  });
});
