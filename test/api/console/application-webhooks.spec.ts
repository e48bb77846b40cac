import { beforeAll, expect, it } from 'vitest';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import { letApplicationIn } from '#test/support/webhooks.js';

const oauth = oauthDeskForFile();
const pages = new Map<string, string>();

/** Ordered by id, the webhooks of `Many` come first. */
beforeAll(async () => {
  for (const [name, count] of [
    ['Many', 501],
    ['Few', 2],
    ['None', 0],
  ] as const) {
    await letApplicationIn(oauth.desk, name);
    await oauth.desk.sql.query(
      `insert into webhooks (id, account_id, application_id, event, url, state, created_at, updated_at)
       select gen_random_uuid(), $1, a.id, 'ticket_closed', 'https://receiver.example/' || n, 'active', now(), now()
       from applications a, generate_series(1, $3::int) n where a.name = $2`,
      [oauth.desk.account.id, name, count],
    );
  }
  const { html } = await (await oauth.person()).get('/settings/applications');
  for (const card of html.split('<section ').slice(1)) pages.set(/<h2[^>]*>([^<]+)/.exec(card)?.[1] ?? '', card);
});

it.each([
  ['Many', 'Its 501 webhooks', 100],
  ['Few', 'Its 2 webhooks', 2],
  ['None', 'It has registered no webhooks.', 0],
])('shows how many webhooks an application has: %s', (name, words, listed) => {
  const card = pages.get(name) ?? '';

  expect(card).toContain(words);
  expect(card.match(/to receiver\.example/g) ?? []).toHaveLength(listed);
  expect(card.includes('The newest 100 are listed.')).toBe(name === 'Many');
});
