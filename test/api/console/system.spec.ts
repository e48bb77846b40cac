import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';

const oauth = await OAuthDesk.start();
const owner = await oauth.person();
const webhook = (await oauth.desk.webhook('ticket_closed', 'https://receiver.example/')).id;
beforeEach(async () => {
  await sql("update webhooks set state = 'active', disabled_reason = null, failing_since = null");
  await sql('delete from delivery_counts');
});
afterAll(() => oauth.stop());

const sql = (text: string, values: unknown[] = []) => oauth.desk.sql.query(text, values);

/** Returns the links to the account’s webhooks in the headline. */
async function troubles(): Promise<readonly string[]> {
  const { html } = await owner.get('/settings/system');
  const said = /id="verdict"[^>]*>(.*?)<\/div>/s.exec(html)![1]!;
  return [...said.matchAll(/<a href=.*?<\/a>/g)].map(([link]) => link);
}

const minutesAgo = (minutes: number): Date => new Date(oauth.desk.clock.now().getTime() - minutes * 60_000);

const disable = () => sql("update webhooks set state = 'disabled', disabled_reason = 'gone'");
const fail = (minutes: number) => sql('update webhooks set failing_since = $1', [minutesAgo(minutes)]);
const giveUp = (minutes: number) =>
  sql(
    `insert into delivery_counts (account_id, webhook_id, hour, shard, delivered, retried, given_up, duration_ms, longest_ms)
     values ($1, $2, date_trunc('hour', $3::timestamptz), 0, 0, 0, 15, 0, 0)`,
    [oauth.desk.account.id, webhook, minutesAgo(minutes)],
  );

describe('the headline of the System page', () => {
  it.each([
    ['a webhook is disabled', disable, ['<a href="/settings/webhooks?state=disabled">1 webhook disabled</a>']],
    [
      'a webhook has failed for an hour',
      () => fail(60),
      ['<a href="/settings/webhooks?state=active">1 webhook failing for over 10 minutes</a>'],
    ],
    [
      'deliveries were given up today',
      () => giveUp(120),
      ['<a href="/settings/webhooks">15 deliveries given up in the last 24 hours</a>'],
    ],
    ['nothing is wrong', async () => undefined, []],
    ['a delivery failed a minute ago and is retried', () => fail(1), []],
    ['deliveries were given up two days ago', () => giveUp(48 * 60), []],
  ])('links to the reason, if any, when %s', async (_, cause, links) => {
    await cause();
    expect(await troubles()).toEqual(links);
  });
});
