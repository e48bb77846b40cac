import { CredentialsService } from '#libs/access';
import { describe, expect, it } from 'vitest';
import { PASSWORD } from './support/oauth-desk.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import { Person, csrfOf } from './support/person.js';

const oauth = oauthDeskForFile({ SMTP_URL: 'smtp://127.0.0.1:9' });

const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** Returns the CPU time on all threads, which does not depend on the load of the machine. */
async function cost(task: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await task();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

describe('guessing a password', () => {
  it('starts at zero after a quarter of an hour, and never counts the right password', async () => {
    const { email } = await oauth.agent();
    for (let n = 0; n < 9; n++) await new Person(oauth.base).signIn(email, 'guess');
    expect((await new Person(oauth.base).signIn(email, PASSWORD)).status).toBe(303);
    for (let n = 0; n < 11; n++) await new Person(oauth.base).signIn(email, 'guess');
    expect((await new Person(oauth.base).signIn(email, PASSWORD)).status).toBe(429);
    oauth.desk.clock.advance({ minutes: 15, seconds: 1 });

    expect((await new Person(oauth.base).signIn(email, PASSWORD)).status).toBe(303);
  });

  it('stops after a hundred tries from one IP address, across emails and forged addresses', async () => {
    oauth.desk.clock.advance({ minutes: 16 });
    const person = new Person(oauth.base);
    const csrf = csrfOf(await person.get('/sign-in'));
    const guesses = Array.from({ length: 101 }, (_, n) =>
      person.post(
        '/sign-in',
        { csrf, email: `nobody${n}@acme.test`, password: 'x' },
        { 'x-forwarded-for': `192.0.2.${n}` },
      ),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    oauth.desk.clock.advance({ minutes: 16 });

    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('account enumeration', () => {
  it('fails by the response: unknown, archived and wrong look the same', async () => {
    const archived = await oauth.agent();
    await oauth.desk.sql.query("update agents set state = 'archived' where id = $1", [archived.id]);
    const answers = await Promise.all(
      [oauth.desk.account.owner.email, archived.email, 'nobody@acme.test'].map(async (email) => {
        const { status, html } = await new Person(oauth.base).signIn(email, 'wrong');
        return { status, html: html.replaceAll(email, 'E-MAIL').replaceAll(/name="csrf" value="[^"]+"/g, '') };
      }),
    );

    expect(answers[0]?.status).toBe(422);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('fails by the time: a password is verified even for an unknown email', async () => {
    oauth.desk.clock.advance({ minutes: 16 });
    const credentials = oauth.desk.api.get(CredentialsService);
    const tryPassword = (email: string, address: string) =>
      credentials.authenticate({ email, password: 'wrong', address });
    const known: number[] = [];
    const unknown: number[] = [];
    for (let n = 0; n < 9; n++) {
      known.push(await cost(() => tryPassword(oauth.desk.account.owner.email, `known ${n}`)));
      unknown.push(await cost(() => tryPassword('nobody@acme.test', `unknown ${n}`)));
    }
    oauth.desk.clock.advance({ minutes: 16 });

    const ratio = median(unknown) / median(known);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.6);
  });

  it('fails by requesting a new password', async () => {
    const answers = [];
    for (const email of [oauth.desk.account.owner.email, 'nobody@acme.test']) {
      const person = new Person(oauth.base);
      const { status, html } = await person.submit(await person.get('/forgot-password'), '/forgot-password', { email });
      answers.push({ status, html });
    }

    expect(answers[0]).toEqual(answers[1]);
  });
});

describe('guessing a client secret', () => {
  it('slows down, while the right secret always works', async () => {
    const guess = (n: number) => oauth.exchange('x', { client_secret: `guess ${n}` });
    const statuses = (await Promise.all(Array.from({ length: 70 }, (_, n) => guess(n)))).map(({ status }) => status);
    const right = await oauth.exchange('x');

    expect(statuses.filter((status) => status === 401)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect(right.body.error).toBe('invalid_grant');
    oauth.desk.clock.advance({ minutes: 6 });
  });

  it('reveals nothing in the response: an unknown client and a wrong secret look the same', async () => {
    const wrongSecret = await oauth.exchange('x', { client_secret: 'wrong' });
    const wrongClient = await oauth.exchange('x', { client_id: 'unknown' });

    expect(wrongClient.text).toBe(wrongSecret.text);
    expect(wrongClient.status).toBe(401);
  });

  it.each([
    ['nearly right', (secret: string) => `${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`],
    ['right but longer', (secret: string) => `${secret}0`],
    ['right but shorter', (secret: string) => secret.slice(0, -1)],
    ['right but in capitals', (secret: string) => secret.toUpperCase()],
    ['empty', () => ''],
    ['the client id', () => oauth.app.clientId],
  ])('fails with one that is %s', async (_, change) => {
    expect((await oauth.exchange('x', { client_secret: change(oauth.app.secret) })).status).toBe(401);
  });
});

describe('a reader of the database', () => {
  it('finds no password, secret, code, token or cookie', async () => {
    const person = await oauth.person();
    const code = await oauth.code(person);
    const tokens = (await oauth.exchange(await oauth.code(person))).body;
    const refreshed = (await oauth.refresh(tokens.refresh_token)).body;
    const secrets = [
      PASSWORD,
      oauth.app.secret,
      code,
      tokens.access_token,
      tokens.refresh_token,
      refreshed.access_token,
      refreshed.refresh_token,
      person.cookies.get('deskwire-session') ?? 'missing',
    ];
    const { rows } = await oauth.desk.sql.query<{ xml: string }>(
      "select database_to_xml(true, false, '')::text as xml",
    );

    for (const secret of secrets) {
      expect(rows[0]?.xml).not.toContain(secret);
      expect(rows[0]?.xml).not.toContain(Buffer.from(secret).toString('base64'));
      expect(rows[0]?.xml).not.toContain(Buffer.from(secret, 'base64url').toString('base64'));
    }
  });
});
