import { ApplicationsService } from '#libs/access';
import { Database } from '#libs/database';
import { beforeAll, describe, expect, it } from 'vitest';
import { seedAccount } from '#test/support/seed.js';
import { REDIRECT_URI } from './support/oauth-desk.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import { createOwn } from './support/own-application.js';
import type { Person } from './support/person.js';

const oauth = oauthDeskForFile();
let owner: Person;
beforeAll(async () => {
  owner = await oauth.person();
});

const applications = () => oauth.desk.api.get(ApplicationsService);
const uris = (count: number) => Array.from({ length: count }, (_, n) => `https://a.example/${n}`).join('\n');

describe('the form of a new application', () => {
  it.each([
    ['an empty name', { name: '' }, 'name must have 1 to 100'],
    ['a long name', { name: 'x'.repeat(101) }, 'name must have 1 to 100'],
    ['no redirect URI', { redirect_uri: '' }, 'at least one redirect URI'],
    ['a huge redirect URI', { redirect_uri: `https://a.example/${'x'.repeat(100_000)}` }, 'is longer than 2048'],
    ['a plain redirect URI', { redirect_uri: 'http://a.example/' }, 'uses http:'],
    ['a script as redirect URI', { redirect_uri: 'javascript:alert(1)' }, 'is not an absolute'],
    ['a redirect URI that reverses text', { redirect_uri: 'https://a.example/\u202e' }, 'is not an absolute'],
    ['a private scheme of a confidential client', { redirect_uri: 'com.example.app:/cb' }, 'is not an absolute'],
    ['21 redirect URIs', { redirect_uri: uris(21) }, 'at most 20'],
    ['a script as home page', { home_page: 'javascript:alert(1)' }, 'home page must be'],
    ['a huge home page', { home_page: `https://a.example/${'x'.repeat(3000)}` }, 'home page must be'],
  ])('refuses %s', async (_, fields: Record<string, string>, reason) => {
    const { status, html } = await createOwn(owner, fields);
    expect(status).toBe(422);
    expect(html).toContain(reason);
    expect(html).toContain('aria-invalid="true"');
  });

  it.each([
    ['no scope', []],
    ['an unknown scope', ['everything']],
    ['a huge scope', ['read', 'x'.repeat(5000)]],
  ])('refuses %s', async (_, scopes: string[]) => {
    const { status, html } = await createOwn(owner, {}, scopes);
    expect([status, html.includes('Scopes are one or more of')]).toEqual([422, true]);
  });

  it('takes private schemes for public clients', async () => {
    expect((await createOwn(owner, { type: 'public', redirect_uri: 'com.example.app:/cb' })).status).toBe(200);
  });
});

describe('the number of applications', () => {
  it('is limited for an account, deleted ones not counted', async () => {
    const { id: accountId, owner: other } = await seedAccount(oauth.desk.sql, { name: 'Initech' });
    const wanted = { name: 'One', redirectUris: [REDIRECT_URI], makerAccountId: accountId, by: other.id };
    const add = () => oauth.desk.api.get(Database).systemTransaction((tx) => applications().create(tx, wanted));
    const first = await add();
    for (let n = 1; n < 100; n++) await add();
    await expect(add()).rejects.toMatchObject({ code: 'too_many_applications' });
    await applications().remove({ clientId: first.application.clientId, makerAccountId: accountId });
    expect((await add()).application.name).toBe('One');
  });

  it('is limited for an hour', async () => {
    const { id } = await seedAccount(oauth.desk.sql, { name: 'Hooli' });
    const manager = await oauth.colleague('admin', id);
    const statuses: number[] = [];
    for (let n = 0; n < 51; n++) statuses.push((await createOwn(manager)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(50);
    expect(statuses.at(-1)).toBe(429);
  });
});
