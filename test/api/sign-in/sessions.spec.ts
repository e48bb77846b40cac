import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../../oauth/support/oauth-desk.js';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import { Person, csrfOf } from '../../oauth/support/person.js';
import { startTicket } from '#test/support/desk-records.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';
const HOSTILE = `<script>alert(1)</script>"'>${'x'.repeat(5000)}`;

const oauth = oauthDeskForFile();

async function signedIn(email: string, userAgent = FIREFOX, base = oauth.base): Promise<Person> {
  const person = new Person(base);
  const csrf = csrfOf(await person.get('/sign-in'));
  await person.post('/sign-in', { csrf, email, password: PASSWORD }, { 'user-agent': userAgent });
  return person;
}

const waysOut = ({ html }: { html: string }): string[] =>
  [...html.matchAll(/action="(\/profile\/sessions\/[\da-f-]{36}\/close)"/g)].map(([, way]) => way!);

/** Opens a stream and returns its text when it ends. */
async function stream({ cookieHeader: cookie, base }: Person): Promise<string> {
  const headers = { cookie, accept: 'text/event-stream' };
  // Shorter than ten seconds, after which a stream checks its session itself.
  return (await fetch(`${base}/live?watch=tickets`, { headers, signal: AbortSignal.timeout(8000) })).text();
}

describe('the sessions of a person', () => {
  it('appear with browser, system and address, and can be ended one by one', async () => {
    const { email } = await oauth.agent();
    const [here, there, elsewhere] = [await signedIn(email), await signedIn(email), await signedIn(email)];
    const page = await here.get('/profile');
    expect(page.html.match(/Firefox 150 on Linux/g)).toHaveLength(3);
    expect(page.html.match(/>127\.0\.0\.1</g)).toHaveLength(3);
    expect(page.html.match(/\(this one\)/g)).toHaveLength(1);
    expect(waysOut(page)).toHaveLength(2);
    await here.submit(page, waysOut(page)[0]!, {});
    const left = await Promise.all([here, there, elsewhere].map((person) => person.isSignedIn()));

    expect(left[0]).toBe(true);
    expect(left.filter(Boolean)).toHaveLength(2);
    expect((await here.submit(page, waysOut(page)[0]!, {})).status).toBe(404);
  });

  it('show a hostile browser name as truncated text', async () => {
    const { email } = await oauth.agent();
    const { html } = await (await signedIn(email, HOSTILE)).get('/profile');

    expect(html).toContain('&lt;script>alert(1)');
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('x'.repeat(301));
  });

  it('cannot be ended by another person', async () => {
    const [one, other] = [await oauth.agent(), await oauth.agent()];
    const [here, victim] = [await signedIn(one.email), await signedIn(other.email)];
    await signedIn(other.email);
    const [way = ''] = waysOut(await victim.get('/profile'));
    const refused = await here.submit(await here.get('/profile'), way, {});

    expect([refused.status, waysOut(await victim.get('/profile'))]).toEqual([404, [way]]);
    expect((await here.submit(await here.get('/profile'), '/profile/sessions/nonsense/close', {})).status).toBe(404);
  });

  it('end together with their open streams, in every process', async () => {
    const { email } = await oauth.agent();
    const process = await oauth.desk.apiProcess();
    const here = await signedIn(email);
    const there = [await signedIn(email), await signedIn(email, FIREFOX, process.base)];
    const streams = there.map(stream);
    await startTicket(oauth.desk);
    await here.submit(await here.get('/profile'), '/profile/sessions/close-others', {});

    expect(await Promise.all(streams)).toEqual([expect.stringContaining('retry:'), expect.stringContaining('retry:')]);
    expect(await here.isSignedIn()).toBe(true);
  });

  it('end when the password is changed, except the current one', async () => {
    const { email } = await oauth.agent();
    const [here, there] = [await signedIn(email), await signedIn(email)];
    const ended = stream(there);
    const fields = { current: PASSWORD, password: 'quite another password' };
    await here.submit(await here.get('/profile'), '/profile/password', fields);

    expect(await ended).toContain('retry:');
    expect([await here.isSignedIn(), await there.isSignedIn()]).toEqual([true, false]);
  });
});
